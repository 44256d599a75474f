# O diário com problema: o que se sabe, e os comandos.
banner-locked = Saques bloqueados neste computador: a tecla { $key } diz por quê e o que fazer
locked-open = O que está em aberto continua na lista, só para olhar: confira na sua conta.
locked-none-open = Pelo diário, nenhum saque está em aberto.
locked-not-known = Daqui não dá para saber se há saque em aberto: confira na sua conta antes de sacar por outro meio.
locked-until = Até você abrir o balcão de novo, os saques são só para olhar.
locked-folder = Pasta:
locked-commands = Para ver mais: balcao journal verify · balcao journal export

# balcao journal verify
verify-healthy = O diário dos saques está íntegro.
verify-ahead = O banco tem um evento a mais que money.head: uma janela terminou no meio da gravação, ou está gravando agora. Não faz mal: a próxima gravação acerta isso.
# de um registro cuja última gravação foi interrompida (verify, export, withdrawals list)
journal-copy = Uma gravação foi interrompida no meio. O que aparece aqui foi lido em uma cópia temporária, como estava antes dela; o original não foi tocado. Ao abrir, o balcão desfaz essa gravação.
verify-file = diário
verify-last = último evento
verify-sum = soma
verify-count = saques
verify-none-here = Não há diário dos saques nesta pasta. Se deveria haver, confira a pasta antes de sacar.
verify-backup = Antes de mexer, guarde uma cópia da pasta inteira.

# balcao journal export
export-personal = Atenção: o que sai daqui tem dados pessoais (chaves PIX, nomes). Guarde e envie com cuidado.
export-until = { $n ->
    [0] Nenhum evento pôde ser lido.
    [one] Só o primeiro evento pôde ser lido; o resto não saiu.
   *[other] Só os primeiros { $n } eventos puderam ser lidos; o resto não saiu.
}
export-whole = { $n ->
    [one] { $n } evento.
   *[other] { $n } eventos.
}

# balcao journal forget-missing, balcao journal set-aside
forget-means = O balcão lembra que havia um diário dos saques em { $dir }, e ele não está lá.
    Se continuar, os saques feitos antes deixam de ser conhecidos neste computador. Se algum ficou em aberto, o balcão não avisa mais, e nada aqui impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, se há saque em aberto. Se você ainda puder trazer a pasta de volta, não continue.
forget-done = Pronto. Na próxima vez o balcão começa um diário novo nessa pasta.
forget-nothing = Não há o que esquecer: nem o chaveiro nem a configuração lembram de um diário em { $dir }.
forget-there = Há arquivos do diário em { $dir }. Este comando é só para quando não sobrou nenhum. Veja antes: balcao journal verify
set-aside-means = O diário dos saques em { $dir } está danificado.
    Se continuar, os arquivos dele vão inteiros para uma pasta ao lado; nada é apagado. Os saques feitos antes deixam de ser conhecidos neste computador. Se algum ficou em aberto, o balcão não avisa mais, e nada aqui impede de sacar o mesmo outra vez.
    Confira na sua conta, agora, se há saque em aberto. Se tiver uma cópia de segurança feita depois do último saque, não continue: devolva a cópia.
set-aside-done = Pronto. Os arquivos estão em { $to }. Na próxima vez o balcão começa um diário novo.
set-aside-marked = O chaveiro ou a configuração ainda lembra do diário antigo: não deu para mudar agora. Se o balcão disser que o diário sumiu, rode: balcao journal forget-missing
set-aside-healthy = O diário em { $dir } está íntegro e fica onde está.
set-aside-in-flight = Um saque está sendo enviado agora. Espere o resultado e rode de novo.
type-name = Para continuar, digite { $name } e Enter. Qualquer outra coisa desiste:
given-up = Nada mudou.

# balcao data purge
purge-will = Serão apagados, para sempre, os dados de antes de { $date }:
purge-withdrawals = { $n ->
    [one] { $n } saque decidido: chave PIX, corpo do pedido e palavras do serviço. Valor, datas e resultado ficam.
   *[other] { $n } saques decididos: chave PIX, corpo do pedido e palavras do serviço. Valor, datas e resultado ficam.
}
purge-history = { $n ->
    [one] { $n } link ou cobrança, por inteiro.
   *[other] { $n } links e cobranças, por inteiro.
}
purge-kept = Saques em aberto, preparados, ou decididos nas últimas 24 horas ficam como estão.
purge-nothing = Não há nada a apagar de antes de { $date }.
purge-ask = Apagar? Digite sim e Enter; qualquer outra coisa desiste:
purge-yes = sim
purge-wants-yes = Sem terminal para perguntar: rode de novo com --yes.
purge-done = { $n ->
    [one] Pronto. O diário foi verificado: { $n } evento, todos em ordem.
   *[other] Pronto. O diário foi verificado: { $n } eventos, todos em ordem.
}
purge-done-history = Pronto.
purge-held = Uma janela aberta segurou o histórico, e restos do que foi apagado ainda podem estar em history.db-wal. Feche o balcão e rode de novo.
purge-aside = Não foi mexido no que está guardado à parte: { $name }

# Mais de um registro de saques: qual vale
journals-title = Escolher o registro de saques
journals-what = O balcão usa um só registro de saques neste computador. Escolha o que vale; os outros ficam guardados.
journals-in-it = Dentro
journals-holds-back = segura saques novos: escolha e resolva
journals-unreadable = não foi possível ler
journals-no-withdrawals = só links e cobranças
journals-withdrawals = { $n ->
    [one] { $n } saque
   *[other] { $n } saques
}
journals-open = { $n ->
    [one] { $n } em aberto
   *[other] { $n } em aberto
}
journals-prepared = { $n ->
    [one] { $n } preparado
   *[other] { $n } preparados
}
journals-recent = { $n ->
    [one] { $n } das últimas 24 h
   *[other] { $n } das últimas 24 h
}
journals-last = último { $when }
journals-pick = { $key } mostra os registros, para escolher um.
withdrawals-held-back = Outro registro de saques tem saques em aberto, preparados ou das últimas 24 h. Até resolver, nenhum saque novo sai daqui.
withdrawals-held-back-way = { $key } mostra esse registro: escolha-o e resolva o que está nele. O registro de agora fica guardado, e dá para voltar a ele.
