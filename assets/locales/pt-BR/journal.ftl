# Problemas do registro de saques, e os comandos para ele.
banner-locked = Saques bloqueados neste computador: a tecla { $key } diz por quê e o que fazer
banner-history = Histórico incompleto: a tecla { $key } diz por quê
locked-open = O que está em aberto continua na lista, só para olhar: confira na sua conta.
locked-none-open = Pelo registro, nenhum saque está em aberto.
locked-not-known = Daqui não dá para saber se há saque em aberto: confira na sua conta antes de sacar por outro meio.
locked-until = Até você abrir o balcão de novo, os saques são só para olhar.
locked-folder = Pasta:
locked-commands = Para ver mais: balcao journal verify · balcao journal export

# balcao journal verify
verify-healthy = O registro de saques está íntegro.
verify-ahead = O arquivo money.db tem um evento a mais que money.head: uma janela foi fechada no meio da gravação, ou está gravando agora. Não faz mal: a próxima gravação acerta isso.
# Um registro cuja última gravação foi interrompida (verify, export, withdrawals list)
journal-copy = Uma gravação foi interrompida no meio. O que aparece aqui foi lido em uma cópia temporária, como estava antes dela; o original não foi tocado. Ao abrir, o balcão desfaz essa gravação.
verify-file = registro
verify-last = último evento
verify-sum = soma de verificação
verify-count = saques
verify-prepared = { $n ->
    [one] { $n } preparado
   *[other] { $n } preparados
}
verify-sending = { $n ->
    [one] { $n } sendo enviado
   *[other] { $n } sendo enviados
}
verify-unknown = { $n } com resultado desconhecido
verify-accepted = { $n ->
    [one] { $n } aceito
   *[other] { $n } aceitos
}
verify-rejected = { $n ->
    [one] { $n } recusado
   *[other] { $n } recusados
}
verify-needs-person = { $n } a conferir na sua conta
verify-mismatch = { $n } com resposta contraditória
verify-discarded = { $n ->
    [one] { $n } descartado
   *[other] { $n } descartados
}
verify-resolved-paid = { $n ->
    [one] { $n } pago (declarado por você)
   *[other] { $n } pagos (declarados por você)
}
verify-resolved-not-paid = { $n ->
    [one] { $n } não pago (declarado por você)
   *[other] { $n } não pagos (declarados por você)
}
verify-none-here = Não há registro de saques nesta pasta. Se deveria haver, confira a pasta antes de sacar.
verify-backup = Antes de mexer, guarde uma cópia da pasta inteira.

# balcao journal export
export-personal = Atenção: o que sai daqui tem dados pessoais (chaves Pix, nomes). Guarde e envie com cuidado.
export-until = { $n ->
    [0] Nenhum evento pôde ser lido.
    [one] Só o primeiro evento pôde ser lido; o resto não saiu.
   *[other] Só os primeiros { $n } eventos puderam ser lidos; o resto não saiu.
}
export-whole = { $n ->
    [one] { $n } evento.
   *[other] { $n } eventos.
}

# balcao data export
export-rows = { $rows }.
export-no-rows = Não há links, cobranças nem apelidos neste computador.
rows-links = { $n ->
    [one] { $n } link
   *[other] { $n } links
}
rows-charges = { $n ->
    [one] { $n } cobrança
   *[other] { $n } cobranças
}
rows-nicknames = { $n ->
    [one] { $n } apelido
   *[other] { $n } apelidos
}
rows-requests = { $n ->
    [one] { $n } solicitação
   *[other] { $n } solicitações
}
rows-batches = { $n ->
    [one] { $n } lote de links
   *[other] { $n } lotes de links
}

# balcao journal forget-missing, balcao journal set-aside
forget-means = O balcão lembra que havia um registro de saques em { $dir }, e ele não está lá.
    Se continuar, os saques feitos antes deixam de ser conhecidos neste computador. Se algum ficou em aberto, o balcão não avisa mais, e nada aqui impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, se há saque em aberto. Se você ainda puder trazer a pasta de volta, não continue.
forget-replace = O balcão lembra de um registro de saques que não está mais onde estava, e o que está em { $dir } é outro, ou uma cópia antiga dele.
    Se continuar, o registro em { $dir } passa a ser o registro em uso. Os saques que só estavam no outro deixam de ser conhecidos neste computador. Se algum ficou em aberto, o balcão não avisa mais, e nada aqui impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, se há saque em aberto. Se você ainda puder trazer o outro de volta, não continue.
forget-done = Pronto. Na próxima vez o balcão começa um registro novo nessa pasta.
forget-nothing = Não há o que esquecer: nem o chaveiro nem a configuração lembram de um registro em { $dir }.
forget-there = Há arquivos do registro de saques em { $dir }. Este comando é só para quando não sobrou nenhum. Veja antes: balcao journal verify
make-live-means = O registro em uso neste computador está em { $other }.
    Se continuar, o registro em { $dir } passa a ser o registro em uso, e o outro fica trancado. Os saques que só estão no outro deixam de ser conhecidos aqui: nada impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, os saques feitos pelo outro. Se este é uma cópia dele, não continue.
    .unmarked = Nem o chaveiro nem a configuração lembram do registro em { $dir }: o que lembrava pode ter sido apagado, e este registro pode ser uma cópia antiga.
    Se continuar, ele passa a ser o registro em uso neste computador. Os saques que faltam nele deixam de ser conhecidos aqui: nada impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, se o último saque dele é o último que você fez. Se não for, não continue.
    .other-machine = O registro em { $dir } estava em uso em outro computador ou em outro contêiner.
    Se continuar, ele passa a ser o registro em uso neste computador. Os saques feitos depois no outro não são conhecidos aqui: nada impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, se o último saque deste registro é o último que você fez. Se o outro continua em uso, não continue.
make-live-done = Pronto. O registro em uso é o que está em { $dir }.
make-live-is = O registro em { $dir } já é o registro em uso neste computador.
set-aside-means = O registro de saques em { $dir } está danificado.
    Se continuar, os arquivos dele vão inteiros para uma pasta ao lado; nada é apagado. Os saques feitos antes deixam de ser conhecidos neste computador. Se algum ficou em aberto, o balcão não avisa mais, e nada aqui impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, se há saque em aberto. Se tiver uma cópia de segurança feita depois do último saque, não continue: restaure a cópia.
set-aside-done = Pronto. Os arquivos estão em { $to }. Na próxima vez o balcão começa um registro novo.
set-aside-marked = O chaveiro ou a configuração ainda lembra do registro antigo: não foi possível mudar agora. Se o balcão disser que o registro sumiu, rode: balcao journal forget-missing
set-aside-healthy = O registro de saques em { $dir } está íntegro e fica onde está.
set-aside-in-flight = Um saque está sendo enviado agora. Espere o resultado e rode de novo.
type-name = Para continuar, digite { $name } e tecle Enter. Qualquer outra coisa cancela:
given-up = Nada mudou.

# balcao data purge
purge-will = Serão apagados, para sempre, os dados de antes de { $date }:
purge-withdrawals = { $n ->
    [one] { $n } saque encerrado: chave Pix, conteúdo da solicitação e respostas do serviço. Valor, datas e resultado ficam.
   *[other] { $n } saques encerrados: chave Pix, conteúdo da solicitação e respostas do serviço. Valor, datas e resultado ficam.
}
purge-history = { $rows }: tudo.
purge-copy = { $name }, a cópia de antes de uma atualização: tudo.
purge-log = { $name }, o log: tudo.
purge-kept = Saques em aberto, preparados, ou encerrados nas últimas 24 horas ficam como estão.
purge-nothing = Não há nada a apagar de antes de { $date }.
purge-ask = Apagar? Digite sim e tecle Enter. Qualquer outra coisa cancela:
purge-yes = sim
purge-wants-yes = Sem terminal para perguntar: rode de novo com --yes.
purge-done = { $n ->
    [one] Pronto. O registro de saques foi verificado: { $n } evento, em ordem.
   *[other] Pronto. O registro de saques foi verificado: { $n } eventos, todos em ordem.
}
purge-done-history = Pronto.
purge-held = Uma janela aberta estava usando os arquivos, e restos do que foi apagado ainda podem estar nos que terminam em .db-wal. Feche o balcão e rode de novo.
purge-aside = O que está guardado à parte não foi alterado: { $name }

# Mais de um registro de saques: qual vale
make-live-title = Usar este registro de saques
make-live-here = Este:
make-live-what = Os saques que só estão no registro em uso deixam de aparecer aqui e poderiam sair outra vez: confira antes na sua conta. O outro registro fica onde está, trancado.
    .unmarked = Se este registro é uma cópia antiga, os saques que faltam nele poderiam sair outra vez: confira antes na sua conta se o último saque é esse.
    .other-machine = Os saques feitos depois no outro computador não aparecem aqui e poderiam sair outra vez: confira antes na sua conta e não saque mais pelo outro.
make-live-type = Para usar este, digite o caminho dele.
make-live-submit = Usar este registro
make-live-wait = Trocando de registro
make-live-key = { $key } faz deste o registro em uso.
field-journal-path = Caminho
field-differs = Não é o caminho escrito acima.
