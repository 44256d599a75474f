### Saques e a página do comprador.
### Regra: cada frase sobre um saque diz se o dinheiro saiu, e só é usada no estado em que é verdadeira.

## Saques

withdrawals-count = { $n ->
    [one] { $n } saque
   *[other] { $n } saques
}
withdrawals-sum = aceitos { $sum }
withdrawals-fees = taxas { $sum }
withdrawals-open-beside = { $n } em aberto
withdrawals-no-fee-beside = { $n } sem taxa
withdrawals-found-beside = { $n ->
    [one] { $n } pago por declaração sua
   *[other] { $n } pagos por declaração sua
}
withdrawals-empty-title = Nenhum saque por aqui ainda
withdrawals-empty-hint = Você vê a taxa antes, confere tudo, e só então confirma.
withdrawals-empty-key = começa um saque
withdrawals-none-found = Nenhum saque com “{ $query }”.
withdrawals-verifying = conferindo o registro: { $percent }%
withdrawals-locked = Saques bloqueados neste computador
withdrawals-locked-money = Nenhum saque será enviado enquanto isto não for resolvido.
withdrawals-on-file = chave cadastrada no serviço

state-prepared = preparado
state-sending = enviando
state-sending-elsewhere = enviando (outra janela)
    .by = talvez enviando ({ $who })
state-unknown = resultado desconhecido
    .short = desconhecido
state-accepted = aceito pelo serviço
    .short = aceito
state-rejected = recusado
state-needs-person = confira na sua conta
    .short = confira
state-mismatch = resposta contraditória
    .short = contradição
state-discarded = descartado
state-resolved-paid = pago (declarado por você)
    .short = pago
    .by = pago (declarado por { $who })
state-resolved-not-paid = não pago (declarado por você)
    .short = não pago
    .by = não pago (declarado por { $who })

pix-kind-cpf = CPF
pix-kind-cnpj = CNPJ
pix-kind-phone = telefone
pix-kind-email = e-mail
pix-kind-random = chave aleatória

## O formulário do saque

withdraw-title = Novo saque
withdraw-submit = Conferir
withdraw-leaves = Sai do seu saldo
withdraw-fee = Taxa
withdraw-receives = Valor líquido
withdraw-quote-none = Digite o valor para ver a taxa.
withdraw-quote-due = A taxa para sacar { $amount } será consultada quando você parar de digitar.
withdraw-quote-asking = Consultando a taxa para sacar { $amount }… { $seconds } s
withdraw-quote-age = consultada há { $seconds } s
withdraw-quote-stale = consultada há mais de 2 min
withdraw-quote-failed = Não deu para consultar a taxa para sacar { $amount }.
withdraw-quote-failed-next = { $key } consulta de novo. Ou continue: a taxa será descontada pelo serviço, e você digita o valor mais uma vez na conferência.
withdraw-quote-fault = Este saque não pode ser confirmado assim: { $key } consulta a taxa de novo. Se continuar assim, fale com o serviço antes de sacar.
withdraw-quote-refused = O serviço não aceitou calcular a taxa para sacar { $amount }.
withdraw-quote-refused-next = Mude o valor. Se o motivo for outro, { $places } mostra a resposta.
withdraw-nothing-sent = Nada foi enviado. Nenhum dinheiro saiu.
withdraw-refused-quote-wait = A taxa ainda não chegou. A conferência abre quando ela chegar.
withdraw-refused-other-unit = Do último saque chegou um valor em outra unidade: a unidade no formato do serviço está errada, e nenhum saque sai assim. Digite um valor e use { $teach } para corrigir. Se você digitou errado, abra aquele saque e diga de novo quanto chegou ({ $arrived }).
withdraw-doubt = O serviço pode ter lido { $other } em vez de { $amount }. Antes da conferência, o balcão pergunta.
withdraw-refused-look-again = Algo mudou desde a conferência, talvez em outra janela. Confira de novo.
withdraw-steps-fee = A taxa é consultada quando você para de digitar o valor.
withdraw-steps-review = Depois você confere o valor, a taxa e o destino.
withdraw-steps-leaves = Nada sai antes de você escolher Sacar.
withdraw-steps-code = O código do saque evita pagamento em dobro.

## A conferência

review-title = Conferir o saque
review-to = Para
review-proxy = Sai pelo proxy
review-holder = Titular
review-holder-unknown = o serviço não informa o nome; confira a chave
review-key = Código do saque
review-json = O que é enviado
review-unit-unproved = A unidade do valor ainda não foi provada: depois, confira quanto chegou.
    .smaller = A unidade do valor ainda não foi provada: comece com até R$ 10,00.
review-untyped = definido pelo formato do serviço
review-body = Conteúdo
review-fee-unknown = desconhecida
review-fee-unknown-why = será descontada pelo serviço
review-net-unknown = valor menos a taxa
review-stale = A taxa foi consultada há mais de 2 minutos. Ela será consultada de novo antes de você confirmar.
review-asking = Consultando a taxa de novo… { $seconds } s
review-retype = Digite o valor
review-retype-no-quote = Não deu para consultar a taxa; ela será descontada pelo serviço.
review-retype-not-arrived = O último saque ainda não confirma a unidade do valor: ela pode estar errada.
review-retype-nothing = O valor líquido é { $net }: a taxa leva o valor todo.
review-retype-finer = A taxa ou o valor líquido tem fração de centavo: pode chegar outro valor.
review-retype-another-open = Outro saque está em aberto: este pode ser um segundo pagamento.
review-retype-same-open-elsewhere = Um saque igual está em aberto com outro login ou em outro endereço: este pode pagar duas vezes.
review-retype-same = Já existe um saque igual nas últimas 24 h: mesmo valor e destino.
review-retype-how = Para confirmar, digite o valor de novo.
review-retype-differs = ainda não é { $amount }
review-retype-same-now = confere
said-text-typed = Algo foi digitado. Para confirmar, espere 1 s sem teclar.
review-back = Voltar
review-confirm = Sacar { $amount }
agree-read-on = Leia até o fim para continuar: { $key }.
review-nothing-yet = Nada foi enviado. Nenhum dinheiro saiu.
review-only-then = Nada sai antes de você escolher Sacar. O serviço define limites e horários.
review-prepare = Preparar { $amount }
review-approval-first = Nada sai ainda: depois de preparado, o saque precisa da aprovação de outra pessoa da equipe.

## A confirmação antes de enviar um saque que já está gravado

send-title = Enviar o saque de { $amount }?
send-title-again = Reenviar o saque de { $amount }?
send-does-not = Este saque não pode ser enviado.
send-does-first = Esta solicitação, já gravada, será enviada pela primeira vez.
send-does-after-no = Esta solicitação, já gravada, será enviada de novo. O serviço ainda não a aceitou.
send-does-again = A mesma solicitação será reenviada; o código do saque evita pagamento em dobro.
send-does-replace = Esta solicitação não será enviada: a taxa não é mais a combinada.
send-does-unchecked = Esta solicitação não será enviada: não deu para conferir a taxa de novo.
send-fee-agreed = a que você confirmou
send-fee-other = A taxa agora é { $fee }, e o valor líquido { $net }. Descarte este saque e confira outro, com outro código.
send-fee-gone = Descarte este saque e confira outro, ou volte e tente mais tarde.
send-destination-other = Esta solicitação pagaria a outro destino: { $other }. O destino guardado com ela é { $stored }.
send-destination-gone = O destino guardado com esta solicitação, { $stored }, não está nos dados dela.
send-do = Enviar { $amount }
send-do-again = Reenviar { $amount }
send-replace = Descartar e conferir outro

## A aprovação de um saque que outra pessoa da equipe preparou

approve-title = Aprovar o saque de { $amount }?
approve-does = Nada é enviado agora. Com a sua aprovação, este saque pode ser enviado nas próximas 24 horas.
approve-does-not = Este saque não pode ser aprovado: a taxa não é mais a combinada.
approve-does-not-unchecked = Este saque não pode ser aprovado agora: não deu para conferir a taxa de novo.
approve-fee-agreed = a combinada
approve-fee-other = A taxa agora é { $fee }, e o valor líquido { $net }. Este saque precisa ser descartado e preparado de novo.
approve-fee-gone = Volte e tente mais tarde.
approve-do = Aprovar { $amount }

## O envio

preparing-title = Gravando o saque de { $amount }
preparing-what = O código do saque e a solicitação estão sendo gravados neste computador, antes de qualquer envio.
preparing-money = Nada foi enviado ainda. Nenhum dinheiro saiu. Assim que estiver gravado, o saque será enviado.
preparing-elapsed = há { $seconds } s

sending-title = Enviando o saque de { $amount }
sending-elapsed = há { $seconds } s, no máximo { $limit } s
sending-leave = Você pode sair desta tela: a solicitação continua a caminho, e o resultado fica em Saques.

## O resultado

outcome-title = Saque de { $amount }
outcome-window = prazo para reenviar: { $left }
outcome-window-send = prazo para enviar: { $left }
outcome-wait = enviar libera em { $left }
outcome-wait-again = reenviar libera em { $left }
outcome-key = Código do saque
outcome-to = Para
outcome-account = Conta
outcome-quote = Combinados
outcome-no-quote = taxa não consultada: será descontada pelo serviço
outcome-id = Identificador
outcome-service-code = Código no serviço
outcome-code-unproven = não prova que pagou
outcome-state-unproven = { $word }: não prova que pagou
outcome-shows-reply = { $key } mostra a resposta.
outcome-shows-requests = { $key } mostra as solicitações deste saque: ensine a partir da resposta.
outcome-status = Situação
outcome-attempts = Tentativas
outcome-attempts-of = Tentativas · { $days }
outcome-attempts-hidden = { $n ->
    [one] mais { $n } tentativa antes destas: { $key } mostra todas
   *[other] mais { $n } tentativas antes destas: { $key } mostra todas
}
timeline-attempt = { $n }ª tentativa
timeline-from = dá para enviar de novo
timeline-now = você já pode enviar de novo
timeline-until = fim do prazo para enviar de novo
timeline-once = um só saque: o mesmo código nas { $n } tentativas
outcome-steps = O que você pode fazer com segurança
outcome-open = { $key } mostra o que você pode fazer com segurança.

said-prepared-new = Nada foi enviado ainda. Nenhum dinheiro saiu.
said-prepared-not-sent = Nada chegou ao serviço ainda. Nenhum dinheiro saiu.
said-prepared-no-entry = O serviço ainda não aceitou este saque. Nenhum dinheiro saiu.
said-prepared-log-in = Para enviar, entre de novo na conta.
said-prepared-is-in = Você já entrou de novo: agora dá para enviar.
said-prepared-throttled = O serviço ainda não aceitou este saque e pediu para esperar. Nenhum dinheiro saiu.
said-prepared-too-late = O prazo seguro para enviar este saque acabou.
said-prepared-discard = Descarte e, se ainda quiser, faça outro.
said-sending = O dinheiro pode sair a qualquer momento. Não faça outro saque igual.
said-sending-elsewhere = Outra janela está enviando este saque. O dinheiro pode sair a qualquer momento. Não faça outro saque igual.
said-sending-elsewhere-again = Outra janela está enviando este saque. O dinheiro pode já ter saído ou sair a qualquer momento. Não faça outro saque igual.
said-sending-elsewhere-next = O resultado aparece aqui assim que chegar lá.
said-sending-team = { $who } pode estar enviando este saque. O dinheiro pode sair a qualquer momento. Não faça outro saque igual.
    .left = Você pode decidir em { $left }, se o resultado não chegar antes.
    .somebody = Outro computador da equipe
said-sending-again = O dinheiro pode já ter saído ou sair a qualquer momento. Não faça outro saque igual.
said-unknown = O dinheiro pode ter saído ou não. Não faça outro saque igual.
said-accepted = O serviço aceitou este saque. Considere o dinheiro enviado. Não faça outro saque igual.
said-accepted-arrival = O balcão não vê o dinheiro chegar: confira no extrato.
said-rejected = O serviço recusou este saque. Nenhum dinheiro saiu.
said-rejected-next = Para tentar de outro jeito, faça um novo saque: ele terá outro código.
said-needs-person = O dinheiro pode ter saído ou não. Não faça outro saque igual. Antes de tudo, confira na sua conta.
said-mismatch-amount = O serviço respondeu com outro valor. O dinheiro pode ter saído, talvez nesse outro valor. Não faça outro saque igual.
said-mismatch-destination = O serviço respondeu com outro destino. O dinheiro pode ter saído, talvez para esse outro destino. Não faça outro saque igual.
said-mismatch-lock = Nenhum outro saque sai desta conta até você conferir e decidir.
said-discarded = Você descartou este saque ({ $when }). O serviço não chegou a aceitá-lo. Nenhum dinheiro saiu.
said-resolved-paid = Você declarou ({ $when }) que achou este saque na sua conta. Pelo que você viu, o dinheiro saiu.
    .by = { $who } declarou ({ $when }) que achou este saque na conta. Pelo que { $who } viu, o dinheiro saiu.
said-resolved-not-paid = Você declarou ({ $when }): este saque não foi pago. Isso é o que você viu; o serviço não confirmou.
    .by = { $who } declarou ({ $when }): este saque não foi pago. Isso é o que { $who } viu; o serviço não confirmou.
said-resolved-not-paid-later = Se ele aparecer na conta mais tarde, não faça outro: fale com o suporte do serviço.

why-window-over = O prazo para reenviar esta solicitação com segurança acabou.
why-too-many = Esta solicitação já foi enviada { $n } vezes, o máximo seguro com o mesmo código.
why-another-boot = O computador foi reiniciado depois da tentativa: não dá para saber quanto tempo passou.
    .team = A tentativa é de outro computador da equipe, ou de antes de este reiniciar: não dá para saber quanto tempo passou.
why-clock-back = O relógio deste computador foi atrasado: não dá para saber quanto tempo passou.
why-redirected = O serviço redirecionou a solicitação ({ $status }); o balcão não seguiu. O endereço do serviço neste perfil deve estar errado.
why-key-reused = Talvez o serviço já tenha recebido este código com outro conteúdo (422 depois de uma tentativa).
why-says-failed = A resposta do serviço se contradiz: o código diz uma coisa, e o conteúdo diz “{ $said }”. Não se sabe qual dos dois vale: o dinheiro pode ter saído.
alarm-sent = Você pediu
alarm-got = A resposta diz

attempt-running = sendo enviada agora
attempt-lost = sem resultado gravado
attempt-timeout = sem resposta em { $seconds } s
attempt-no-answer = sem resposta a tempo
attempt-cut = a conexão caiu no meio
attempt-too-large = resposta longa demais para ler
attempt-unreadable = { $status }, resposta ilegível
attempt-not-http = cabeçalho da resposta ilegível
attempt-other-success = { $status }, sucesso inesperado
attempt-no-sign = { $status }, sem sinal de que aceitou
attempt-status = { $status }
attempt-conflict = { $status }, conflito
attempt-throttled = { $status }, pede para esperar
attempt-throttled-for = { $status }, pede para esperar { $seconds } s
attempt-redirected = { $status }, redirecionou a solicitação
attempt-key-reused = { $status }, depois de outra tentativa
attempt-says-failed = { $status }, mas diz “{ $said }”

class-running = em curso
class-not-sent = não enviada
class-unclear = incerta
class-confirmed = confirmada
class-alarm = alarme
class-no = recusada
class-no-entry = sem acesso
class-throttled = adiada
class-suspect = duvidosa

proves-may-pay = pode pagar a qualquer momento
proves-may-have-paid = pode ter pago
proves-likely-paid = é provável que tenha pago
proves-not-sent = não pode ter pago
proves-accepted = o serviço aceitou
proves-not-paid = nenhum dinheiro saiu nesta tentativa
proves-nothing = a { $n }ª ainda pode ter pago
proves-assumed = pode ter pago; leitura não confirmada
proves-already-accepted = a { $n }ª já tinha sido aceita
proves-conflict = pode ter pago ou ainda pagar
proves-other-amount = pode ter pago outro valor
proves-other-destination = pode ter pago a outro destino

step-send = enviar
step-send-why = envia a solicitação já gravada (pede confirmação)
step-approve = aprovar este saque
step-approve-why = mostra os dados (pede confirmação)
step-approval-back = retirar sua aprovação
step-approval-back-why = sem aprovação, ninguém o envia
step-send-again = reenviar esta solicitação
step-send-again-why = o código do saque evita pagamento em dobro
step-log-in = entrar na conta
step-paste-jwt = colar o JWT
step-entry-why = só depois dá para enviar; não envia nada
step-discard = descartar
step-discard-why = encerra sem pagar; não será mais enviado
step-found = achei na minha conta
step-found-why = marca este saque como pago (pede confirmação)
step-found-unlocks-why = marca como pago e libera os saques
step-check = conferir na conta
step-check-why = o que procurar, linha por linha
step-check-decide-why = o que procurar e como declarar “não pago”
step-not-paid = não foi pago
step-not-paid-why = declare e digite o valor: libera outro saque
step-copy-clue = copiar a linha
step-copy-clue-why = copia a linha marcada; as setas mudam
step-copy-key = copiar o código do saque
step-copy-key-why = para falar com o suporte do serviço
step-other-login = Este saque foi feito por { $who }: só com esse login ele pode ser enviado.
step-other-address = Este saque foi feito em outro endereço: só lá ele pode ser reenviado.
step-other-open = Outro saque está em aberto: este só pode ser enviado depois. Ou descarte este e faça um novo.
step-wait-again = Reenviar aparece aqui quando a espera acabar: até lá, o serviço pode estar processando a tentativa anterior.
step-other-destination = Esta solicitação pagaria a um destino diferente do guardado com ela. Descarte este saque ou fale com o suporte do serviço.
step-locked = Só dá para olhar: há um problema no registro de saques deste computador.
step-busy = Outro saque está sendo enviado. Espere o resultado.
step-unapproved = Para ser enviado, este saque precisa da aprovação de outra pessoa da equipe.
step-unapproved-here = Para ser enviado, este saque precisa da sua aprovação, ou da de outra pessoa da equipe.
step-other-unit = O valor desta solicitação está em uma unidade errada. Descarte este saque e faça outro.
step-busy-elsewhere = Outra janela está enviando um saque desta conta. Espere o resultado.

## A conferência na conta, e a declaração de que não foi pago

guide-title = Conferir na conta: { $amount }
guide-where = Procure no extrato da sua conta no serviço e no banco de quem recebe.
guide-amount = Valor
guide-net = Valor líquido
guide-said = A resposta diz
guide-when = Enviado
guide-between = { $begin } a { $end } ({ $exact })
guide-not-yet = Ainda não é possível declarar que não foi pago: o serviço pode estar pagando. Só será possível quando o prazo para reenviar acabar, em { $left }.
guide-not-found = Não achou? Espere e confira de novo: pode demorar a aparecer. O suporte do serviço encontra o saque pelo código dele.

not-paid-title = Declarar que não foi pago
not-paid-about = Saque de { $amount }, para { $to }
not-paid-says = Você declara: conferi na minha conta do serviço e no banco de quem recebe, e este saque não foi pago.
not-paid-says-neither = Você declara: conferi na minha conta do serviço e no banco de quem recebe, e este saque não foi pago: nem { $sent }, nem { $got }.
not-paid-then = O balcão encerra este saque, nunca mais envia esta solicitação e permite fazer outro.
not-paid-then-unlocks = O balcão encerra este saque, nunca mais envia esta solicitação e libera os saques desta conta.
not-paid-risk = Se ele tiver sido pago e você fizer outro, o dinheiro terá saído duas vezes.
not-paid-back = Ainda não sei
not-paid-do = Não foi pago

attempts-title = Tentativas do saque de { $amount }
attempts-from-to = { $n }ª tentativa: { $begin } até { $end }
attempts-from = { $n }ª tentativa: { $begin }
attempts-server-date = No relógio do serviço: { $when }

## Os grupos da lista

group-open = Em aberto
group-open-money = o dinheiro pode ter saído
group-prepared = Preparados
group-prepared-money = nenhum dinheiro saiu
group-decided = Encerrados

## A página do comprador

buyer-title = A página do comprador
buyer-sandbox = SANDBOX: dinheiro de mentira
buyer-wait = Abrindo a página
buyer-pay = Pagar { $amount }
buyer-paid = Pago. Obrigado!
buyer-paid-hint = O sandbox avisa que este link foi pago; o serviço de verdade não.
buyer-blocked = Esta página não está disponível.
buyer-blocked-why = O domínio do checkout não está ativo, e quem compra não consegue pagar.
buyer-not-found = Página não encontrada.
buyer-not-found-why = O sandbox não conhece este endereço.
buyer-nothing = A página ainda não chegou.
buyer-paying = Pagando no sandbox
buyer-browser = Navegador de quem compra
attempt-other-amount = { $status }, diz { $got }
attempt-other-destination = { $status }, diz outro destino
outcome-quote-figures = taxa { $fee }, líquido { $net }
outcome-status-theirs = “{ $word }” (informado pelo serviço)
    .pending = em andamento
link-qr-room = O QR Code não cabe ao lado. { $key } mostra só ele.

## Os campos dos formulários que não vêm do contrato

field-amount = Valor
field-description = Descrição
field-domain = Domínio

# Escrito no terminal depois de fechada a tela, com um saque ainda em envio.
left-sending = Um saque está sendo enviado: esperando a resposta… Ctrl-C encerra sem esperar.
left-accepted = Saque de { $amount }: aceito pelo serviço.
left-rejected = Saque de { $amount }: recusado pelo serviço. Nenhum dinheiro saiu.
left-prepared = Saque de { $amount }: ainda não foi aceito. Nenhum dinheiro saiu. Ele está guardado em Saques, para enviar ou descartar.
left-open = Saque de { $amount }: resultado desconhecido. O dinheiro pode ter saído ou não. Não faça outro saque igual. Antes de qualquer outra coisa, abra o balcão de novo.
left-open-until = Saque de { $amount }: resultado desconhecido. O dinheiro pode ter saído ou não. Não faça outro saque igual. Antes de qualquer outra coisa, abra o balcão de novo: dá para reenviar a mesma solicitação até { $until }.
left-person = Saque de { $amount }: o dinheiro pode ter saído ou não. Não faça outro saque igual. Antes de qualquer outra coisa, confira na sua conta. Abra o balcão de novo: ele diz o que procurar.
left-mismatch = Saque de { $amount }: a resposta do serviço não bate com o que foi enviado. O dinheiro pode ter saído, talvez em outro valor ou para outro destino. Não faça outro saque igual. Abra o balcão de novo e confira: até você decidir, nenhum outro saque sai desta conta.
left-decided = Saque de { $amount }: não foi enviado agora, porque já foi decidido em outra janela. A decisão está em Saques.
left-unwritten = O resultado de uma tentativa ainda não está gravado, porque outro programa está usando o registro de saques: esperando para gravar… Ctrl-C encerra sem esperar.
left-of = Saque de { $amount }:
left-unrecorded = Anote isso: aberto de novo, o balcão pode dar o resultado como desconhecido. Não faça outro saque igual. Antes de qualquer outra coisa, abra o balcão de novo.
left-unknown = Ainda sem resposta: o resultado é desconhecido. Não faça outro saque igual. Antes de qualquer outra coisa, abra o balcão de novo.

## Referências a outros saques

other-named = { $amount } para { $to } ({ $when }; { $state })
other-of = { $other }, de { $whose }
account-at = { $who } em { $place }
other-shows = { $other }. { $key } mostra.
other-more = { $n ->
    [one] Há mais { $n }.
   *[other] Há mais { $n }.
}

## Destinos já usados

known-title = Já usadas: ↓ e Enter escolhem; digite a chave ou o apelido.
known-used-short = { $n ->
    [one] { $n } vez, { $when }
   *[other] { $n } vezes, { $when }
}
known-used = { $n ->
    [one] usada { $n } vez, { $when }
   *[other] usada { $n } vezes, a última { $when }
}
known-used-on = { $n ->
    [one] usada { $n } vez, em { $when }
   *[other] usada { $n } vezes, a última em { $when }
}
review-first-time = primeira vez
review-quote-changed = A taxa mudou: antes era { $fee }, e o valor líquido, { $net }.

## As linhas do formato do serviço que a vendedora precisa aceitar

consent-title = Formato do serviço: leia antes de usar
consent-title-origin = Endereço do serviço: confira antes de usar
consent-why-origin = Confira o endereço do serviço: é para lá que vai a sua senha. Ele não foi digitado agora, nem aceito antes neste perfil. Nada é enviado antes de você aceitar.
consent-why = Este perfil muda o formato do serviço que vem com o balcão. Leia até o fim: estas linhas decidem o que é enviado, para onde e como a resposta é lida. Nada é enviado antes de você aceitar.
consent-why-again = Algo mudou desde a última vez que você aceitou, nos seus arquivos ou numa versão nova do balcão. Nada é enviado antes de você aceitar.
consent-accepted = Você já aceitou estas linhas neste perfil. É isto que elas mudam no formato que vem com o balcão.
consent-sandbox = É isto que este perfil muda no formato padrão. Aqui é o sandbox: não é preciso aceitar.
consent-not-you = Não foi você quem mudou, ou não sabe por quê? Não aceite: estas linhas decidem para onde vai a sua senha, quanto sai e para quem.
consent-each-time = Sem chaveiro, isto volta a cada início; com --vault keyutils, não.
consent-taught-file = no arquivo em que o balcão grava o que você ensina
consent-news = Mudou desde a última vez:
consent-others = Você já tinha aceitado:
consent-units = A taxa é consultada em { $preview } e o saque é enviado em { $withdrawal }: se só um dos dois estiver certo, o outro fica 100 vezes maior ou menor.
consent-reais = reais
consent-centavos = centavos
consent-confirmed = O seu arquivo diz “confirmed”: isso não vale. Só o balcão confirma uma linha.
consent-file = Arquivo
consent-old = antes
consent-new = agora
consent-was-not = não existia
consent-no-origin = nenhum, neste perfil
consent-is-not = deixa de existir
consent-origin-means = A sua senha vai para { $value }.
consent-secret-name = A sua senha é enviada com o nome “{ $value }”.
consent-secret-shown = O que você digita neste campo aparece na tela e em Solicitações.
consent-fixed = Este campo é fixo: vai sempre “{ $value }”, sem ninguém digitar.
consent-default = Se ninguém digitar outra coisa, vai “{ $value }”.
consent-unit = R$ 49,90 é enviado como { $value }. Com a unidade errada, o valor fica 100 vezes maior ou menor.
consent-address = A solicitação vai para { $value }.
consent-headers = Estes cabeçalhos vão sempre, sem ninguém digitar.
consent-credential-headers = A credencial é enviada nestes cabeçalhos.
consent-credential = A solicitação leva a credencial “{ $value }”.
consent-retention = Por quanto tempo dá para reenviar com o mesmo código. Mais de 24 h conta como 24 h.
consent-proxy = Tudo passa por { $value }.
consent-ca-file = Os certificados deste arquivo podem responder por qualquer servidor: quem tem as chaves deles pode se passar pelo serviço.
consent-message-means = É o texto que o comprador recebe.
consent-letters = Atenção: há letras que podem passar por outras. Aqui aparecem pelo número: { $letters }.
consent-origin = Endereço do serviço
consent-login = Entrar na conta
consent-domains = Domínios
consent-create-link = Link de pagamento
consent-direct-payment = Cobrança
consent-fee-preview = Consulta da taxa
consent-withdrawal = Saque
consent-request = Toda solicitação
consent-connection = Conexão
consent-message = Mensagem para o comprador
consent-error = Mensagens de erro
consent-read-on = Só dá para aceitar depois de ler até a última linha.
consent-was-read = Não aceite nada que você não reconheça.
consent-too-long = Há linhas longas demais para alguém ler. Não dá para aceitar: encurte-as no arquivo.
consent-keeping = Salvando o seu aceite
consent-not-kept = O seu aceite não foi salvo. Nada foi enviado.
consent-back = Voltar
consent-do = Aceitar estas linhas

## Enquanto outro saque está em aberto: cada frase fala só do saque atual

beside-not-sent = Este saque ainda não foi enviado.
beside-preparing = Este saque ainda não foi enviado. Assim que gravar, ele é enviado.
beside-not-reached = Este saque ainda não chegou ao serviço.
beside-no-entry = O serviço ainda não aceitou este saque: nenhum dinheiro saiu por ele.
beside-throttled = O serviço ainda não aceitou este saque e pediu para esperar: nenhum dinheiro saiu por ele.
beside-rejected = O serviço recusou este saque: nenhum dinheiro saiu por ele.
beside-discarded = Você descartou este saque ({ $when }). O serviço não chegou a aceitá-lo: nenhum dinheiro saiu por ele.

nickname-title = Apelido do destino
nickname-submit = Salvar
nickname-wait = Salvando
nickname-hint = Fica só neste computador, sempre ao lado da chave. Campo vazio tira o apelido.
field-nickname = Apelido

## Comprovante

receipt-title = Comprovante de saque
receipt-no-bank = Comprovante do balcão: não é comprovante bancário.
receipt-sandbox = SANDBOX: nenhum dinheiro de verdade saiu.
receipt-asked = O que você pediu
receipt-amount = Valor do saque
receipt-purged = apagado do registro deste computador
receipt-agreed = Confirmado em
receipt-sent = Enviado em
receipt-service = Serviço
receipt-said = O que o serviço respondeu
receipt-answered = Respondeu em
receipt-status = Resposta
receipt-http = aceito (HTTP { $status })
receipt-id = Identificador
receipt-message = Mensagem
receipt-hint = Sugestão
receipt-server-date = Hora no serviço
receipt-closing = O serviço aceitou este saque. Isto não prova que o dinheiro chegou: confira na conta de quem recebe.
receipt-file = comprovante
receipt-writing = salvando…
receipt-saved = ✓ Salvo como texto e imagem; só você pode abrir:
receipt-not-saved = Não deu para salvar na pasta em que o balcão foi aberto (sistema: { $why }). { $key } copia o texto.
arrived-title = Quanto chegou?
arrived-of = Saque
arrived-submit = Conferir
arrived-hint = Veja no extrato da conta que recebeu. Só isso mostra se o serviço leu reais ou centavos.
arrived-other-unit = É cerca de 100 vezes maior ou menor que o esperado: a unidade do valor no formato do serviço deve estar errada. Não faça outro saque antes de corrigir a unidade no formato do serviço.
    .teach = É cerca de 100 vezes maior ou menor que o esperado: a unidade do valor no formato do serviço deve estar errada, e os saques esperam a correção. { $key } corrige a unidade. Digitou errado? Digite de novo.
arrived-yes = já chegou
arrived-not-yet = ainda não chegou
field-has-arrived = O dinheiro
field-unit-read = O serviço leu
unit-doubt-title = { $amount } ou { $other }?
unit-doubt-why = O balcão consultou a taxa de dois valores com 1 centavo de diferença. Pelas respostas, o serviço pode ter lido { $other } em vez de { $amount }:
unit-doubt-unsure = ainda não sei
unit-doubt-submit = Responder
unit-doubt-hint = Na dúvida, pergunte ao suporte do serviço se ele conta em reais ou em centavos. Consultar a taxa não movimenta dinheiro.
arrived-other = Era para chegar { $expected }. Confira de novo; se for isso mesmo, fale com o serviço. Ainda não dá para saber se o serviço lê reais ou centavos.
field-arrived = Chegou
outcome-arrived = Quando o dinheiro chegar, diga quanto ({ $key }): isso confirma que o valor vai certo.

# Quem preparou, aprovou, enviou e decidiu um saque, numa equipe.
outcome-who = Equipe
    .prepared = { $who } preparou
    .approved = { $who } aprovou
    .sent = { $who } enviou
    .decided = { $who } decidiu
team-author = { $who } ({ $machine })
# Quem fez um link, uma cobrança ou um lote, e quem mudou depois.
team-who = Equipe
    .created = { $who } criou
    .note = bilhete de { $who }
    .batch = { $who } começou o lote

# A conexão com o banco de dados da equipe, no cabeçalho.
header-team = equipe
    .connecting = equipe: conectando
    .offline = equipe: sem conexão desde { $since }
    .offline-short = sem conexão
