# Falhas: o que houve, se o dinheiro saiu e o que fazer agora (.next).

# Falhas antes de qualquer envio.
not-sent-busy = Outro saque desta conta estava sendo enviado, aqui ou em outra janela.
    .attempt = outro saque estava sendo enviado
    .next = Espere o resultado dele e tente de novo.
not-sent-journal = Não foi possível gravar no registro de saques antes de enviar.
    .attempt = não foi possível gravar aqui
    .next = Veja se há espaço em disco e permissão na pasta do balcão. Depois tente de novo.
not-sent-no-credential = Falta a credencial desta operação.
    .attempt = falta o token da API
    .next = Entre na conta e tente de novo.
not-sent-other-account = Este saque é de outra conta.
    .attempt = o token é de outra conta
    .next = Entre na conta em que ele foi criado e tente de novo.
not-sent-vault = O chaveiro não entregou a credencial.
    .attempt = o chaveiro não respondeu
    .next = Destranque o chaveiro e tente de novo.
not-sent-dns = O endereço do serviço não foi encontrado.
    .attempt = serviço não encontrado (DNS)
    .next = Veja a conexão com a internet e o endereço do serviço em Conta.
    .command = Veja a conexão com a internet e o endereço do serviço: `base-url` no config.toml, ou --base-url.
not-sent-connect = Não foi possível conectar ao serviço.
    .attempt = sem conexão com o serviço
    .next = Veja a conexão com a internet e tente de novo em instantes.
not-sent-tls = Não foi possível confirmar a identidade do serviço.
    .attempt = identidade não confirmada (TLS)
    .next = Não tente de novo ainda. Confira o endereço do serviço e o relógio deste computador. Se o serviço ou a sua rede tem um certificado próprio, diga o arquivo dele em `ca-file`, no perfil.
not-sent-not-safe = Este saque mudou de estado desde que a tela foi aberta.
    .attempt = não era mais seguro enviar
    .next = Abra o saque de novo e veja o que você pode fazer com segurança.
not-sent-headers = A solicitação não foi enviada: o cabeçalho do código do saque tem outro uso.
    .attempt = o cabeçalho do código não serve
    .next = Reenviar não adianta. Confira na sua conta e encerre este saque aqui.
not-sent-not-agreed = Você ainda não aceitou o formato do serviço deste perfil.
    .attempt = o formato do serviço não estava aceito
    .next = O balcão mostra as linhas: leia até o fim e aceite. Depois dá para enviar.
not-sent-read-only = O balcão foi aberto só para leitura.
    .attempt = o balcão estava aberto só para leitura
    .next = Para enviar, saia e abra sem --read-only.
not-sent-unproven = Este endereço não é mais o do sandbox: nada mais é enviado.
    .attempt = o endereço não era mais o do sandbox
    .next = Veja o que responde nesse endereço. Depois feche o balcão e abra de novo.
not-sent-body-changed = A solicitação guardada não é mais a que foi confirmada.
    .attempt = a solicitação gravada mudou
    .next = Não mexa nos arquivos do balcão e peça ajuda.
blocked-key-known = Este saque já está gravado. Nada foi gravado de novo.
    .next = Abra Saques e veja o que você pode fazer com ele.
blocked-no-such-key = Este saque não está no registro de saques em uso.
    .next = Abra Saques e veja os que estão lá.
blocked-empty-body = A solicitação deste saque está vazia.
    .next = Veja o formato do serviço deste perfil e confira de novo.
blocked-retyped-differs = O valor digitado de novo não é o valor deste saque.
    .next = Confira de novo e digite o mesmo valor.
blocked-window-over = O prazo para enviar este saque de novo com segurança acabou.
blocked-too-many = Este saque já foi enviado o máximo de vezes seguro com o mesmo código.
blocked-clock = O computador foi reiniciado ou o relógio foi atrasado: não dá para saber quanto tempo passou desde a tentativa.
too-soon = Ainda não dá para reenviar: o serviço pode estar processando a tentativa anterior. Faltam { $left }.
    .next = Espere a contagem terminar; enquanto isso, confira na sua conta.

sent-elsewhere = Outro computador da equipe pode estar enviando um saque. Faltam { $left }.
    .by = { $who } pode estar enviando um saque. Faltam { $left } para você poder decidir.
    .next = Espere a contagem terminar, ou o resultado daquele saque.

unapproved = Este saque precisa da aprovação de outra pessoa da equipe.
    .next = Peça a aprovação e envie de novo.

server-changed = O banco de dados da equipe passou para outro servidor, e um computador da equipe pode estar enviando um saque. Faltam { $left }.
    .next = Espere a contagem terminar e tente de novo.

no-credential-api-token = Para isso é preciso entrar na conta.
    .next = Entre na conta e tente de novo.
no-credential-jwt = Para isso você precisa do JWT dos links.
    .next = Cole o JWT em Conta e tente de novo.

not-a-jwt = Isto não é um JWT: um JWT tem partes separadas por pontos e começa com “eyJ”.
    .next = Copie de novo o JWT inteiro, sem “Bearer” e sem aspas, e cole aqui.

no-answer-timeout = O serviço não respondeu a tempo.
no-answer-cut = A conexão caiu antes de a resposta chegar inteira.
no-answer-left = Você parou de esperar a resposta.
no-answer-too-large = A resposta é grande demais para o balcão ler.
no-answer-encoded = A resposta veio compactada (Content-Encoding); o balcão não pede isso e não consegue ler.
no-answer-not-http = O cabeçalho da resposta é ilegível: tem mais de 100 linhas ou não é HTTP.

no-entry-login = O serviço não aceitou este login ({ $status }).
    .next = Confira os dados e tente de novo.
no-entry-api-token = O serviço não aceitou o token da API ({ $status }).
    .next = Entre na conta de novo.
no-entry-jwt = O serviço não aceitou o JWT dos links ({ $status }).
    .next = Cole um JWT novo em Conta.
no-entry-none = O serviço negou o acesso ({ $status }).
    .next = Entre na conta e tente de novo.

refused = O serviço recusou ({ $status }).
    .next = Leia o que ele diz e ajuste os dados.
refused-question = O serviço respondeu { $status } e não mandou o que foi consultado.
refused-problem = O serviço está com problema ({ $status }).
    .fee = O serviço está com problema ({ $status }) e não informou a taxa.
refused-unclear = O serviço respondeu { $status }; isso não diz se a solicitação foi atendida.
refused-contradicted = O serviço respondeu { $status } e disse que recusou, mas mandou também o que foi pedido.
redirected = O serviço redirecionou a solicitação ({ $status }); o balcão não seguiu.
    .next = O endereço do serviço em Conta deve estar errado. Confira antes de tentar de novo.
    .command = O endereço do serviço deve estar errado. Confira `base-url` no config.toml, ou --base-url, antes de tentar de novo.
unreadable = Não achei na resposta o que foi pedido.
    .next = Ensine onde procurar, ou leia a resposta inteira em Solicitações.
    .command = Abra o balcão e entre por lá: a tela mostra a resposta inteira, e nela você ensina onde procurar.
unreadable-untold = { unreadable }
    .next = Leia a resposta inteira em Solicitações.
unreadable-status = O serviço respondeu { $status }: o balcão não sabe se isso quer dizer sim.
unreadable-token = Não achei o token da API na resposta.
unreadable-domains = Não achei a lista de domínios na resposta.
unreadable-pages = A lista de domínios tem mais páginas do que o balcão lê.
unreadable-page = Não achei o resto da lista de domínios.
unreadable-page-elsewhere = O resto da lista de domínios está em outro endereço. Ele não foi consultado, porque a credencial iria junto.
unreadable-link = Não achei o endereço do link na resposta.
unreadable-code = Não achei o código Pix na resposta.
unreadable-charge = Não achei o identificador da cobrança na resposta.
unreadable-fee = Não achei a taxa na resposta.
cancelled = Você cancelou.
    .next = Quando quiser, tente de novo.

typed-stays = O que você digitou continua aqui.

quote-service = O serviço diz:
quote-hint = O serviço sugere:
quote-location = O endereço que ele indicou:
quote-body = A resposta do serviço:
quote-detail = Detalhe:

# Se o serviço pode ter agido: acrescentado a uma falha.
moved-not-sent = Nada foi enviado.
moved-not-sent-withdrawal = Nada foi enviado: nenhum dinheiro saiu.
moved-no = Nada mudou na sua conta.
moved-no-link = O link não foi criado.
moved-no-charge = A cobrança não foi criada.
moved-no-withdrawal = Nesta tentativa nenhum dinheiro saiu.
moved-maybe = Era só uma consulta: ela não movimenta dinheiro.
moved-maybe-login = Um login não movimenta dinheiro.
moved-maybe-link = O link pode ter sido criado.
moved-maybe-charge = A cobrança pode ter sido criada.
moved-maybe-withdrawal = O dinheiro pode ter saído.

next-read = Tente de novo em instantes.
next-link = Antes de repetir, veja na sua conta do serviço se ele já existe.
next-charge = Antes de repetir, veja na sua conta do serviço se ela já existe.
next-withdrawal = Não faça outro saque igual. Abra este em Saques e veja o que você pode fazer com segurança.

# O cofre das credenciais.
vault-absent = Não há chaveiro disponível neste computador.
vault-locked = O chaveiro está trancado.
vault-hangs = O chaveiro não respondeu.
vault-denied = O kernel deste computador, ou o contêiner em que o balcão roda, não permite guardar chaves.
    .next = Use outro lugar (--vault keyring ou memory), ou rode o balcão fora do contêiner.
vault-no-helper = O comando que guarda as credenciais não foi encontrado, ou não pode ser executado.
    .next = Confira `vault-helper` no config.toml: um caminho completo, ou o nome de um programa do PATH. Ou guarde só na memória até sair do programa.
vault-helper-hangs = O comando que guarda as credenciais não respondeu a tempo e foi encerrado.
    .next = Talvez ele espere por uma senha: destranque o que ele usa em outra janela e tente de novo. Ou guarde só na memória até sair do programa.
vault-helper-failed = O comando que guarda as credenciais informou um erro.
    .next = Rode o comando em outra janela para ver o que falta (talvez destrancar) e tente de novo. Ou guarde só na memória até sair do programa.
vault-read-only = As credenciais vêm do ambiente (BALCAO_TOKEN e BALCAO_JWT): aqui nada é guardado nem apagado.
    .next = Para usar outras, mude as variáveis e abra o balcão de novo. Para entrar com senha, abra sem --vault env.
vault-several = O chaveiro tem várias credenciais diferentes com o mesmo nome.
    .next = Entre de novo: o novo login substitui todas por uma só. Ou apague as repetidas no programa do chaveiro.
vault-other = O chaveiro informou um erro.
vault-moved = Nada foi guardado. Isso não movimenta dinheiro.
    .logout = O login pode continuar no chaveiro. Isso não movimenta dinheiro.
vault-next = Destranque ou instale um chaveiro, ou guarde só na memória até sair do programa.
    .command = Destranque ou instale um chaveiro, ou escolha outro lugar com --vault.
    .logout = Destranque o chaveiro e saia da conta de novo, ou apague o login no programa do chaveiro.

# O registro de saques.
journal-damaged = O registro de saques está danificado.
    .next = Não apague nem mude os arquivos. Guarde uma cópia da pasta e peça ajuda.
    .way = Saia e restaure juntos money.db e money.head da mesma cópia de segurança. Só serve uma cópia feita depois do último saque.
    .else = Sem essa cópia: confira na sua conta o que foi pago e rode “balcao journal set-aside”. Os arquivos ficam guardados à parte, e depois o balcão começa outro registro.
journal-missing = O registro de saques existia e sumiu.
    .next = Se você moveu a pasta, traga-a de volta. Uma cópia antiga não serve: podem faltar saques nela.
    .way = Se você moveu a pasta, saia e traga-a de volta. De uma cópia de segurança, restaure juntos money.db e money.head; só serve uma cópia feita depois do último saque.
    .else = Se ele não volta mais: confira na sua conta se há saque em aberto e rode “balcao journal forget-missing”. Só depois disso o balcão usa outro registro.
journal-maybe-missing = O chaveiro não confirmou qual é o registro de saques deste computador.
    .next = Destranque o chaveiro e atualize a lista de saques: o balcão pergunta de novo.
    .way = Destranque o chaveiro deste computador e atualize esta lista: o balcão pergunta de novo, sem precisar sair.
    .else = Se você nunca sacou por este computador: saia e abra com “balcao --vault memory”. Aí o balcão usa a pasta de sempre sem perguntar ao chaveiro.
journal-elsewhere = O registro de saques em uso neste computador é outro.
    .folder = Em uso:
    .next = Em Saques, veja onde ele está.
    .way = Se este é uma cópia, saia e abra o balcão com a pasta do registro em uso (BALCAO_STATE_DIR). Com dois registros, o mesmo saque poderia sair duas vezes.
    .else = Se é este que vale: confira na sua conta os saques feitos pelo outro, feche as janelas dele e rode “balcao journal make-live”.
journal-unmarked = Nada neste computador confirma que este é o registro de saques em uso: ele pode ser uma cópia antiga.
    .next = Em Saques, veja qual é o último saque dele.
    .way = Confira na sua conta se o último saque dele é o último que você fez. Se for, rode “balcao journal make-live”.
    .else = Se faltar algum saque, não use este registro: saia e restaure juntos money.db e money.head de uma cópia de segurança feita depois do último saque.
journal-other-machine = Este registro de saques estava em uso em outro computador ou em outro contêiner.
    .next = Em Saques, veja qual é o último saque dele.
    .way = Se o outro não saca mais, confira na sua conta se o último saque deste registro é o último que você fez. Se for, rode “balcao journal make-live”.
    .else = Se o outro continua em uso, use outra pasta neste computador (BALCAO_STATE_DIR). Com o mesmo registro nos dois, o mesmo saque poderia sair duas vezes.
# O que há em um registro que pode ser uma cópia antiga.
journal-contents = { $n ->
    [one] { $n } saque, { $open } em aberto; feito em { $last }
   *[other] { $n } saques, { $open } em aberto; o último em { $last }
}
    .label = Contém:
journal-older = { $n ->
    [one] Falta { $n } evento no fim do registro de saques: uma cópia antiga tomou o lugar dele.
   *[other] Faltam { $n } eventos no fim do registro de saques: uma cópia antiga tomou o lugar dele.
}
journal-other-version = Outra versão do balcão gravou o registro de saques (formato { $found }; esta usa o { $known }).
    .next = Use a versão do balcão que gravou o registro.
    .way = Saia e abra o registro com a versão do balcão que o gravou. Esta versão não lê nem muda o registro.
journal-io = Não foi possível abrir, ler ou gravar o registro de saques.
    .next = Veja o espaço em disco e a permissão da pasta. Depois abra o balcão de novo.
    .way = Veja se o disco responde, se tem espaço e se você pode gravar na pasta. Depois saia e abra o balcão de novo.
journal-read-only = O balcão não consegue gravar no registro de saques: falta permissão, ou o disco é só de leitura.
    .next = Dê ao seu usuário permissão de gravar na pasta do registro e abra o balcão de novo.
    .way = Dê ao seu usuário permissão de gravar na pasta e nos arquivos dela, ou libere o disco para gravação. Depois saia e abra o balcão de novo.
journal-full = Não há espaço no disco para gravar o registro de saques.
    .next = Libere espaço no disco e abra o balcão de novo.
    .way = Libere espaço no disco da pasta, ou aumente a sua cota, sem apagar nada dela. Depois saia e abra o balcão de novo.
journal-not-private = A pasta do registro de saques não é só sua: outra pessoa pode mexer nos arquivos dela.
    .next = Use uma pasta que só você possa mudar e abra o balcão de novo.
    .way = Se a pasta é sua, tire dos outros a permissão de gravar (chmod go-w). Se ela é de outro usuário, ou de todos, como /tmp, escolha outra. Depois saia e abra o balcão de novo.
journal-network = O registro de saques está em um disco de rede.
    .next = Para fazer saques novos, ponha a pasta em um disco deste computador.
    .way = Aqui nenhum saque novo é feito: em um disco de rede, dois computadores podem pagar o mesmo saque. Os que já estão na lista podem ser reenviados e resolvidos. Para fazer saques novos, ponha a pasta em um disco deste computador (BALCAO_STATE_DIR).
journal-busy = Outra janela ou outro programa está usando o registro de saques há tempo demais.
    .next = Espere um pouco ou feche as outras janelas do balcão, e tente de novo.
    .way = Feche as outras janelas do balcão e o programa que copia ou sincroniza a pasta. Depois atualize a lista de saques: o balcão tenta de novo, sem precisar sair.
journal-offline = O banco de dados da equipe não responde.
    .next = Confira a conexão e tente de novo.
    .way = Confira a conexão deste computador com o banco de dados da equipe. Depois atualize a lista de saques: o balcão tenta de novo, sem precisar sair.
journal-doubt = A conexão com o banco de dados da equipe caiu durante uma gravação.
    .next = Atualize a lista de saques e veja ali o que foi gravado.
    .way = Confira a conexão deste computador com o banco de dados da equipe. Depois atualize a lista de saques: o balcão tenta de novo, sem precisar sair.
journal-refused = O banco de dados da equipe recusou o pedido.
    .next = Mostre isto a quem cuida do banco de dados.
    .way = Mostre isto a quem cuida do banco de dados: pode faltar uma permissão. Depois atualize a lista de saques: o balcão tenta de novo, sem precisar sair.
journal-lost-approval = O banco de dados da equipe perdeu uma tentativa já aprovada e, sem a aprovação, não a grava de novo.
    .next = Quem cuida do banco de dados desliga a aprovação por um instante: balcao team init --approvals 0
    .way = Quem cuida do banco de dados desliga a aprovação (balcao team init --approvals 0), espera cada computador conectar e liga de novo (--approvals 1). Até lá, não faça saques em nenhum computador.
journal-forked = { $n ->
    [one] O banco de dados da equipe perdeu { $n } evento que este computador já viu.
   *[other] O banco de dados da equipe perdeu { $n } eventos que este computador já viu.
}
    .next = Não faça saques em nenhum computador até quem cuida do banco de dados descobrir o que falta.
    .way = Confira na sua conta o que foi pago e peça a quem cuida do banco de dados os eventos que faltam. Este computador os guarda.
journal-moved-network = Nada foi enviado. Nenhum dinheiro saiu.
journal-moved = Os saques estão bloqueados, para que nenhum seja pago duas vezes. O resto funciona.
journal-moved-busy = Nada foi enviado agora. Enquanto isso durar, nenhum saque sai.
journal-moved-doubt = Nada foi enviado agora. Não é certo que isso foi gravado.
unrecorded = O resultado da tentativa { $n } pode não ter sido gravado no registro de saques: { $end }, { $class }.
    .next = Anote isso: ao sair desta tela, o balcão pode não saber mais.
    .held = O balcão continua tentando gravar enquanto estiver aberto: feche as outras janelas dele e o programa que copia ou sincroniza a pasta. Antes de sair, anote isso.
    .kept = O resultado está guardado neste computador, e o balcão o grava assim que o banco de dados da equipe responder.

# O histórico de links e cobranças.
history-next = Veja o espaço em disco e a permissão da pasta e tente de novo. Se não der, saia e abra o balcão de novo.
    .older-version = Abra o balcão: ele atualiza o histórico e guarda uma cópia. Se ele recusar, use a versão do balcão que gravou o histórico.
    .other-version = Use a versão do balcão que gravou o histórico.
    .damaged = Ao abrir, o balcão guarda à parte o arquivo danificado e começa outro. Se você tem uma cópia de history.db, coloque-a no lugar antes.
    .missing = Se você tem uma cópia de history.db, coloque-a nessa pasta. Se não, abra o balcão, que começa outro.

# A consulta da taxa.
quote-missing = O serviço não informou a taxa nem o valor líquido.
quote-sum = Os números do serviço não batem: de { $amount }, taxa { $fee } e líquido { $net }.
quote-range = A taxa que o serviço informou não faz sentido: { $fee } em { $amount }.
quote-unreadable-fee = O serviço informou a taxa de um jeito ilegível.
quote-unreadable-net = O serviço informou o valor líquido de um jeito ilegível.
quote-other = A resposta do serviço é sobre outro valor: { $said } em vez de { $amount }.
quote-other-unreadable = A resposta do serviço é sobre outro valor, ilegível, em vez de { $amount }.
quote-moved = Era só uma consulta: ela não movimenta dinheiro.
quote-next = Consulte de novo. Se continuar assim, fale com o serviço antes de sacar.

# Erros de um campo.
field-missing = preencha este campo
field-ambiguous = É { $first } ou { $second }? Digite com vírgula.
field-not-an-amount = não é um valor em reais
field-at-least = no mínimo { $limit } caracteres
field-at-most = no máximo { $limit } caracteres
field-characters = aceita só { $allowed }
field-control = tem um caractere que não é aceito aqui
field-choice = escolha uma das opções
field-choose = escolha
field-by-key = conforme a chave
field-positive = precisa ser maior que zero
field-centavo = tem mais de duas casas decimais
field-other-key = parece uma chave Pix; ela vai só no campo da chave
field-second-amount = parece um valor em dinheiro; ele vai só no campo do valor
field-too-long = o máximo é { $limit }
pix-empty = preencha a chave
pix-no-kind = não serve como chave Pix aqui: confira ou escolha o tipo
pix-length = tem { $got } caracteres; precisa ter { $want }
pix-digits = só números
pix-letters-or-digits = só letras e números
pix-check-letters = os dois últimos precisam ser números
pix-check = não é um { $kind }: os dígitos verificadores não batem
pix-same = o mesmo dígito repetido não vale
pix-phone-length = tem { $got } dígitos; com o DDD são 10 ou 11
pix-area-code = esse DDD não existe
pix-mobile = celular começa com 9 depois do DDD
pix-ten-digits = celular tem 9 dígitos depois do DDD; fixo começa com 2 a 5
pix-phone = comece com + e o código do país
pix-email = não é um e-mail
pix-email-long = tem { $got } caracteres; o máximo é 77
pix-random = não é uma chave aleatória
pix-service-number = números como 0800 e 0300 não são chaves Pix
pix-extra-text = há texto a mais: deixe só a chave
pix-other-label = está escrito outro tipo de chave: confira
pix-code = é um código Pix (Copia e Cola), não uma chave

# Outro saque impede este: nada foi enviado.
clash-mismatch = A resposta do serviço a outro saque não bate com o que foi enviado: { $amount } para { $to }.
    .refused = A resposta do serviço a um saque não bate com o que foi enviado. Resolva aquele saque primeiro: até lá, nenhum outro sai desta conta.
    .next = Resolva aquele primeiro: até lá, nenhum outro saque sai desta conta.
clash-same-open = Um saque igual está em aberto: { $amount } para { $to }.
    .refused = Um saque igual está em aberto: mesmo valor, mesmo destino. Resolva aquele primeiro.
    .next = Resolva aquele primeiro.
clash-other-open = Outro saque está em aberto: { $amount } para { $to }.
    .refused = Outro saque está em aberto: este pode ser um segundo pagamento.
    .next = Este poderia ser um segundo pagamento. Resolva aquele primeiro, ou descarte este e faça um novo.
clash-same-open-elsewhere = Um saque igual está em aberto com outro login ou em outro endereço: { $amount } para { $to }.
    .refused = Um saque igual está em aberto com outro login ou em outro endereço: mesmo valor, mesmo destino.
    .next = Este poderia ser um segundo pagamento. Resolva aquele primeiro, ou descarte este e faça um novo.
clash-same-decided = Um saque igual foi feito há menos de 24 h: { $amount } para { $to }.
    .refused = Um saque igual foi feito há menos de 24 h: mesmo valor, mesmo destino.
    .next = Este poderia ser um segundo pagamento. Descarte este; se ainda quiser, faça um novo e confira.
clash-same-prepared = Outro computador da equipe preparou um saque igual: { $amount } para { $to }.
    .by = { $who } preparou um saque igual: { $amount } para { $to }.
    .refused = Outro computador da equipe preparou um saque igual: mesmo valor, mesmo destino.
    .next = Este poderia ser um segundo pagamento. Envie aquele ou descarte um dos dois.

# Ao lado de uma chave Pix que parece ser de outro tipo.
hint-kind-cpf = parece um CPF: mude o tipo de chave
hint-kind-cnpj = parece um CNPJ: mude o tipo de chave
hint-kind-phone = parece um telefone: mude o tipo de chave
hint-kind-email = parece um e-mail: mude o tipo de chave
hint-kind-random = parece uma chave aleatória: mude o tipo de chave
hint-kind-choose = escolha: { $first } ou { $second }
hint-kind-confirm = é o { $key }? escolha o tipo de chave
hint-kind-as-before = { $kind }, como em { $day }
hint-read-as = lido como { $key }
hint-kind-cnpj-or-phone = parece um CNPJ ou um telefone: mude o tipo de chave
hint-kind-either = parece um CPF ou um telefone: mude o tipo de chave
hint-called = você chama esta chave de { $name }
hint-check-amount = Chegou junto: { $amount }. Confira.
    .again = Chegou junto: { $amount }. Confira. Repita para criar.
