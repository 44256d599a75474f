### Links de pagamento, cobranças e os estados informados pelo serviço.

## Links

links-count = { $n ->
    [one] { $n } link
   *[other] { $n } links
}
links-made = { $n ->
    [one] { $n } criado
   *[other] { $n } criados
}
links-automatic = automático
links-not-saved = ! não gravado
links-unknown = ? pode existir
links-refused = × recusado
links-not-sent = – não enviado
links-paid = ✓ pago (sandbox)
    .short = ✓ pago
links-marked = ✓ marcado como pago
    .short = ✓ marcado
links-put-away = guardado
links-awaited = a receber
    .short = a receber
links-filters = { $n ->
    [one] { $n } filtro
   *[other] { $n } filtros
}
links-filter-paid = ✓ pagos
links-filter-unpaid = não marcados como pagos
links-filter-put-away = guardados
links-filter-day = só { $day }
links-filter-domain = só { $domain }
links-sum = total { $sum }
links-sum-paid = ✓ pagos { $sum }
links-day-paid = ✓ tudo pago
links-none-paid = Nenhum link marcado como pago. { $key } mostra todos.
links-none-unpaid = Todos os links já estão marcados como pagos. { $key } mostra os marcados.
links-none-put-away = Nenhum link guardado. { $key } mostra a lista.
links-none-filtered = Nenhum link: { $filters }. { $key } mostra todos.
strip-day = hoje
strip-week = 7 dias
strip-month = este mês
strip-days = 14 dias
strip-links = links
strip-sum = total
strip-sum-unit = total (R$)
strip-marked = ✓ pagos
strip-others = não marcados
strip-most = máx. { $sum }
strip-weekdays = d s t q q s s
links-empty-title = Nenhum link por aqui ainda
links-empty-hint = Um link é uma página de pagamento no seu domínio. Você manda o endereço a quem compra.
links-empty-key = cria o primeiro
links-none-found = Nenhum link com “{ $query }”.
links-none-found-filtered = Nenhum link com “{ $query }” nestes filtros.
links-not-loaded = lendo o histórico…
history-meanwhile = Enquanto isso, não dá para criar links nem cobranças: cada um é anotado antes de ser enviado ao serviço. Saques, domínios e a conta funcionam.
history-meanwhile-locked = Enquanto isso, não dá para criar links nem cobranças: cada um é anotado antes de ser enviado ao serviço. Domínios e a conta funcionam.
history-way = Confira o espaço em disco e a permissão da pasta, feche o balcão e abra de novo.
history-detail = O sistema:
links-no-url-unknown = Não se sabe se o serviço criou este link.
links-no-url-refused = O serviço recusou: este link não existe.
links-no-url-not-sent = Nada chegou ao serviço: este link não existe.

new-link-title = Novo link de pagamento
new-link-json = O que é enviado
new-link-automatic-hint = O serviço escolhe um dos seus domínios ativos.
new-link-named-hint = O checkout abre neste domínio.
new-link-pending-hint = Este domínio ainda não está ativo: o serviço pode recusar o link.
new-link-note-hint = O bilhete é só para você: não vai ao serviço.
new-link-submit = Criar link
new-link-wait = Criando o link
new-link-domain-how = Um domínio fica ativo quando o DNS e o SSL dele ficam prontos.
new-link-domain-other = Uma cobrança direta não precisa de domínio: veja em Cobranças.
new-link-steps-copy = O serviço cria o link. O endereço já é copiado, se não houver nada a conferir nele.
new-link-steps-create = O serviço cria o link, e o endereço aparece na tela.
new-link-steps-send = Você manda o endereço ao comprador.

note-title = Bilhete do link
note-submit = Salvar
note-wait = Salvando
note-hint = Só para você: fica neste computador e não vai ao serviço. Campo vazio tira o bilhete.
field-note = Bilhete
known-links-title = Links anteriores: { $key } escolhe, digite para filtrar.
link-reminder =
    Oi! Passando para lembrar deste pagamento:
    { $description }
    { $amount }
    { $url }
    Se você já pagou, desconsidere esta mensagem.

link-title = Link de pagamento
link-made = Criado
link-asked = Enviado
link-domain = Domínio
link-host = Abre em
reach-this-machine = Só este computador abre esta página. Para abrir em celulares, comece a demonstração com --share.
reach-shared-here = Só este computador abre esta página. Para abrir em celulares, dê ao --share o endereço deste computador na rede.
reach-shared-elsewhere = Só este computador abre esta página. Para abrir em celulares, crie um link com o domínio automático: ele fica em { $origin }.
link-never-paid = O serviço não avisa quando pagam: confira na sua conta.
link-paid-says = Aqui o sandbox avisa; o serviço de verdade não.
link-marked = ✓ marcado como pago por você ({ $when }). O serviço não informa isso.
    .team = ✓ marcado como pago por { $who } ({ $when }). O serviço não informa isso.
link-marked-by-statement = ✓ marcado como pago: extrato, { $day }. O serviço não informa isso.
    .team = ✓ marcado como pago por { $who }: extrato, { $day }. O serviço não informa isso.
link-put-away = Guardado ({ $when }): fora da lista e das somas. O link continua valendo.
link-note = Bilhete
link-unknown = Não se sabe se o serviço criou este link. Ele pode existir ou não; criar de novo pode gerar outro igual. Antes, veja na sua conta do serviço.
link-refused = O serviço recusou. O link não existe.
link-not-sent = Nada chegou ao serviço. O link não existe.
link-host-unreadable = não dá para ler um domínio neste endereço
link-not-saved = O link existe, mas não foi gravado no histórico (o disco pode estar cheio). Copie o endereço agora: ele some daqui quando o balcão fechar.
link-not-clean = O endereço tem caracteres invisíveis ou de controle, marcados aqui. Não pode ser copiado nem aberto.
link-too-long = O endereço tem mais de { $most } caracteres: longo demais para mostrar inteiro. Não dá para copiar nem abrir.
link-masked = Falta uma parte deste endereço (…): o serviço a cortou, ou pôs ali uma credencial sua. Não dá para copiar nem abrir.
oddity-title = ! Confira este endereço


## Cobranças

charges-count = { $n ->
    [one] { $n } cobrança
   *[other] { $n } cobranças
}
charges-made = { $n ->
    [one] { $n } criada
   *[other] { $n } criadas
}
charges-empty-title = Nenhuma cobrança por aqui ainda
charges-empty-hint = Uma cobrança direta gera um código Pix na hora. Não precisa de domínio.
charges-empty-key = cria a primeira
charges-none-found = Nenhuma cobrança com “{ $query }”.
charges-created = criada
charges-refused = × recusada
charges-not-sent = – não enviada
charges-expired = – venceu
charges-odd-code = ! confira o código
charges-unread-code = ! código ilegível

new-charge-title = Nova cobrança direta
new-charge-hint = Gera um código Pix na hora, sem página nem domínio.
new-charge-submit = Criar cobrança
new-charge-wait = Criando a cobrança
new-charge-json = O que é enviado
new-charge-steps-code = O balcão pede ao serviço um código Pix com este valor.
new-charge-steps-send = Você manda o código ao comprador ou mostra o QR Code.

charge-title = Cobrança direta
charge-made = Criada
charge-asked = Enviada
charge-customer = Comprador
charge-id = Identificador
charge-status = Situação
charge-status-theirs = “{ $word }” (informado pelo serviço ao criar)
    .pending = aguardando pagamento ao ser criada
    .short = aguardando
charge-status-none = o serviço não informou
charge-expires = Vale até
charge-expires-in = { $moment } · por mais { $left }
charge-expired = Venceu em
charge-in-code = No código
charge-code-pays = { $amount } para { $receiver }
charge-code-for = para { $receiver }
charge-code-open = O código não traz o valor: o comprador digita ao pagar.
charge-code-dynamic = O código não traz o valor: o banco do comprador busca na hora de pagar.
charge-code = Pix Copia e Cola
charge-code-none = O serviço não mandou um código Pix nesta resposta. A resposta inteira está em Solicitações.
charge-not-saved = A cobrança existe, mas não foi gravada no histórico (o disco pode estar cheio). Copie o código agora: ele some daqui quando o balcão fechar.
charge-code-not-clean = O código tem caracteres invisíveis ou de controle, marcados aqui. Não pode ser copiado.
charge-code-too-long = O código tem mais de { $most } caracteres: longo demais para mostrar inteiro. Não dá para copiar.
charge-code-masked = Falta uma parte deste código (…): o serviço a cortou, ou pôs ali uma credencial sua. Não dá para copiar.
charge-unknown = Não se sabe se o serviço criou esta cobrança. Ela pode existir ou não; criar de novo pode gerar outra igual. Antes, veja na sua conta do serviço.
charge-refused = O serviço recusou. A cobrança não existe.
charge-not-sent = Nada chegou ao serviço. A cobrança não existe.

code-odd-title = ! Confira este código Pix
code-odd-amount = cobra { $code }, e esta cobrança é de { $asked }
code-odd-checksum = foi cortado ou alterado: a verificação no fim dele (CRC) não confere
code-odd-currency = não é em reais
code-odd-unreadable = não dá para ler como código Pix (BR Code): pode estar cortado ou ser de outro tipo
code-odd-long = alguns bancos recusam: { $part } tem { $got } caracteres; o limite é { $max }
code-odd-signs = alguns bancos recusam: { $part } tem acentos ou sinais fora do padrão
code-odd-missing = alguns bancos recusam: falta { $part }
code-part-name = o nome
code-part-city = a cidade
code-part-reference = o identificador (txid)
code-part-key = a chave Pix
code-part-description = a descrição
code-part-url = o endereço (URL)
code-part-whole = o código inteiro
code-odd-expired = já venceu: o comprador pode não conseguir pagar
code-odd-do = Não mande este código a ninguém. Confira a cobrança na sua conta do serviço, ou crie outra.
code-unreadable-do = Antes de mandar a alguém, confira na sua conta do serviço.
code-broken-do = Muitos bancos aceitam: você pode mandar. Quem monta o código é o serviço; peça a ele para corrigir.
code-expired-do = Crie outra cobrança: { $key } repete esta, com o comprador preenchido.

found-link-title = Este link existe
found-link-hint = Se o link aparece na sua conta do serviço, cole aqui o endereço dele. Ele passa a ser um link como os outros.
found-charge-title = Esta cobrança existe
found-charge-hint = Se a cobrança aparece na sua conta do serviço, cole aqui o código Pix dela. Ela passa a ser uma cobrança como as outras.
found-sale-submit = Salvar
found-sale-wait = Salvando
field-address = Endereço
field-pix-code = Código Pix
field-not-an-address = não é um endereço da web: cole o endereço inteiro
field-not-a-pix-code = não é um código Pix: cole o código inteiro
field-other-amount = é um código de outro valor: copie o desta cobrança
known-buyers-title = Compradores anteriores: { $key } escolhe, digite para filtrar.

## Estados informados pelo serviço

theirs-quote = “{ $text }”
figure-computed = calculado
    .fee = calculada
