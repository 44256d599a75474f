# A linha de comando. Um comando é `help-` e o caminho até ele; cada argumento é um atributo dele, ou de um comando acima.
help-balcao = balcão: links de pagamento e saques PIX no seu terminal
    .long = balcão: links de pagamento e saques PIX no seu terminal.

        Sem comando, abre o programa em tela cheia no serviço que --base-url ou o perfil diz. Para conhecer sem ter conta, num serviço simulado neste computador:

        {"  "}balcao demo
    .profile = O perfil do config.toml a usar
    .base_url = Onde fica o serviço de pagamentos (https, ou http só para este computador)
    .lang = O idioma; sem isso, o do sistema
    .theme = O tema: default, light, dark, mono, ou um arquivo seu
    .vault = Onde ficam as credenciais: keyring (o chaveiro do sistema; na próxima vez ainda estão lá) ou memory (só na memória; somem quando você sai)
    .help = Mostra esta ajuda
    .help-more = Mostra esta ajuda (com --help, mais detalhes)
    .help-less = Mostra esta ajuda (com -h, um resumo)
    .version = Mostra a versão
help-demo = Abre o programa num sandbox próprio: nada a configurar, nenhum dinheiro de verdade
    .keep = Guarda o diário da demonstração nesta pasta, e não numa temporária; assim ela não recomeça do zero
    .faults = Falhas à espreita no sandbox (TOML)
    .script = Toca a história deste arquivo (TOML): falhas, domínios, pagamentos e legendas, passo a passo
help-sandbox = Simula o serviço de pagamentos neste computador, para testes e para curiosos
    .listen = Onde atender: IP e porta, só deste computador
    .data = Guarda neste arquivo o que acontece lá
    .faults = Falhas à espreita (TOML)
help-links = Os links de pagamento feitos aqui
help-links-list = Lista os links, do mais novo ao mais antigo
    .json = Um objeto JSON por linha
    .journal = Lista o diário desta pasta, como a que `demo --keep` deixou
help-withdrawals = Os saques feitos aqui, e o que cada estado prova
help-withdrawals-list = Lista os saques: primeiro os em aberto, depois os preparados, depois os outros, do mais novo ao mais antigo
    .json = Um objeto JSON por linha
    .journal = Lista o diário desta pasta, como a que `demo --keep` deixou
help-journal = Olha o diário que impede um saque de ser pago duas vezes, ou segue sem ele
    .journal = A pasta do diário, em vez da do serviço do perfil
help-journal-verify = Diz se o diário está íntegro
    .long = Diz se o diário está íntegro

        Lê todos os eventos e confere as somas em cadeia, o arquivo money.head e o que cada evento significa. Não grava nada: funciona num disco só de leitura e ao lado de janelas abertas. Mostra quantos saques há em cada estado e onde a cadeia termina. Termina com 0 se o diário está íntegro, e com 1 se não está ou não há nenhum, e então diz o que fazer.
help-journal-export = Escreve todos os eventos, um objeto JSON por linha
    .long = Escreve todos os eventos, um objeto JSON por linha

        Nada fica de fora: vão as chaves PIX, os corpos dos pedidos e as palavras do serviço. `plain` e `personal` são textos JSON exatamente como estão no diário (com jq: `.plain|fromjson`), porque as somas são desses bytes. De um diário danificado sai o que dá para ler até o dano; o comando termina com 1 e diz onde ele está.
    .out = Escreve neste arquivo novo, que só você pode ler, e não na saída padrão
help-journal-forget-missing = Desiste de um diário que sumiu, para um novo começar
    .long = Desiste de um diário que sumiu, para um novo começar

        Para quando os arquivos foram apagados de propósito e os saques estão bloqueados porque o balcão se lembra deles. Os saques de antes deixam de ser conhecidos aqui: confira antes, na sua conta, se há algum em aberto. Diz o que isso significa e pede o nome da pasta digitado. Recusa enquanto houver algum arquivo do diário.
help-journal-set-aside = Põe de lado um diário danificado, para um novo começar
    .long = Põe de lado um diário danificado, para um novo começar

        Os arquivos vão como estão para uma pasta ao lado; nada é apagado. Os saques de antes deixam de ser conhecidos aqui: confira antes, na sua conta, se há algum em aberto, e devolva uma cópia de segurança em vez disto se houver uma feita depois do último saque. Diz o que isso significa e pede o nome da pasta digitado. Recusa se o diário está íntegro.
help-data = Apaga o que está guardado neste computador e não é mais preciso
help-data-purge = Apaga dados pessoais antigos, para sempre
    .long = Apaga dados pessoais antigos, para sempre

        Dos saques decididos antes da data: a chave PIX, o corpo do pedido e as palavras do serviço; valor, datas e resultado ficam, e o diário continua verificável. Dos links e cobranças diretas feitos antes da data: tudo. Um saque em aberto, preparado ou decidido nas últimas 24 horas nunca é tocado. Funciona ao lado de janelas abertas, que ainda podem achar pela chave PIX o que foi apagado, até começarem de novo.
    .before = O primeiro dia que fica, no seu fuso
    .journal = A pasta do diário, em vez da do serviço do perfil
    .yes = Não pergunta
help-help = Mostra esta ajuda, ou a de um comando

# Os títulos da ajuda e as palavras entre colchetes.
help-usage = Uso:
help-commands = Comandos
help-options = Opções
help-everywhere = Em qualquer comando
help-any-options = [OPÇÕES]
help-any-command = COMANDO
help-env = { $help } [variável { $name }]
help-default = { $help } [se não disser: { $value }]
help-value-name = NOME
help-value-url = ENDEREÇO
help-value-where = ONDE
help-value-dir = PASTA
help-value-file = ARQUIVO
help-value-addr = IP:PORTA
help-value-date = AAAA-MM-DD

# O que não dá para entender numa linha de comando.
mistake-argument = O argumento “{ $what }” não existe aqui.
mistake-command = O comando “{ $what }” não existe.
mistake-nearest = Seria { $what }?
mistake-no-value = Falta o valor de { $what }.
mistake-value = O valor “{ $value }” não serve para { $what }.
mistake-allowed = Os que servem: { $values }.
mistake-takes-none = { $what } não leva valor.
mistake-twice = { $what } aparece mais de uma vez.
mistake-missing = Falta dizer: { $what }
mistake-no-command = Falta o comando: { $values }
mistake-other = Não deu para entender a linha de comando.
mistake-help = Para ver tudo o que dá para pedir: --help

# Por que um comando não fez o que foi pedido.
complaint-not-a-demo = Em { $dir } estão os seus próprios registros, e não os de uma demonstração. Use outra pasta em --keep.
complaint-relative = { $variable } tem o caminho relativo “{ $path }”: use um caminho que comece na raiz, ou não defina a variável.
complaint-no-home = Não há pasta pessoal. Diga em BALCAO_CONFIG_DIR e BALCAO_STATE_DIR onde os arquivos podem ficar.
complaint-no-address = Onde fica o serviço de pagamentos? Diga com --base-url https://…, ou em `base-url` de [profiles.{ $profile }] no config.toml.
    Para conhecer sem ter conta: balcao demo
complaint-with-address = Estes perfis têm endereço, escolha com --profile: { $known }
complaint-address = --base-url { $address }: { $why }
address-not-one = não é um endereço como https://api.example.com.
address-scheme = só endereços https são usados.
address-not-encrypted = http só vale para este computador; use https.
address-user-info = o endereço não pode levar usuário nem senha.
address-query = o endereço não pode ter uma consulta (`?`).
address-fragment = o endereço não pode ter um fragmento (`#`).
complaint-language = O balcão não fala { $tag }: só pt-BR ou en.
complaint-theme = Não há o tema { $name } (os do programa são { $known }), e não deu para ler { $file }: { $why }
complaint-profile = Não há o perfil { $name }; os que há: { $known }.
complaint-no-profiles = Não há o perfil { $name }. Perfis ficam no config.toml, como [profiles.NOME].
complaint-unreadable = Não deu para ler { $file }: { $why }
complaint-no-folder = Não há a pasta { $folder }.
complaint-not-yet = --before { $date }: esse dia ainda não começou.
complaint-no-input = A entrada padrão não é um terminal: abra o balcão num terminal, sem `<` nem `|` antes dele.
complaint-no-output = A saída padrão não é um terminal: abra o balcão num terminal, sem `>` nem `|` depois dele.
complaint-dumb-terminal = Este terminal se apresenta como TERM=dumb, que só imprime uma linha depois da outra: abra o balcão em outro terminal, ou corrija TERM (por exemplo, TERM=xterm-256color).
complaint-beyond = O sandbox não atende em { $address }: outros computadores chegariam lá. Use 127.0.0.1 ou [::1].
complaint-cannot-listen = O sandbox não consegue atender em { $address }: { $why }
complaint-data-busy = O arquivo { $file } está em uso por outro sandbox. Feche o outro ou escolha outro arquivo.
complaint-no-data = { $file } não é um arquivo de sandbox que esta versão leia ({ $why }). Ele ficou como está: mova-o ou escolha outro.
complaint-secret = O sandbox não se identifica com { $file }: { $why }. Confira o arquivo e apague-o: um novo é criado na próxima vez.
secret-no-file = é um link, ou não é um arquivo
secret-not-private = outros usuários podem ler ou mudar o que está nele, ou ele não é seu
secret-malformed = o conteúdo não é o de um sandbox
unproven-loopback = Nenhum sandbox se identificou em { $address }: esta é a conta real. A lista de um sandbox que não está no ar sai com --journal { $folder }
keys-place = [{ $place }] não é um lugar; os lugares são anywhere, lists, forms, dialogs.
keys-action = Em [{ $place }] não há { $action } a pedir.
keys-key = { $key } (de { $action }) não é uma tecla; escreva como a, G, Ctrl-K, F1, Enter, PgUp.
keys-twice = { $key } pede { $first } e também { $second } em [{ $place }].
history-moved = O histórico estava danificado ({ $why }) e um novo começou; o antigo agora é { $to }
