# A linha de comando. A mensagem de um comando é `help-` e o caminho dele; um argumento é um atributo do seu comando ou de um comando acima.
help-balcao = balcão: links de pagamento e saques por Pix no seu terminal
    .long = balcão: links de pagamento e saques por Pix no seu terminal.

        Sem comando, abre o programa em tela cheia no serviço indicado por --base-url ou pelo perfil. Para conhecer sem ter conta, com um serviço simulado neste computador:

        {"  "}balcao demo
    .profile = O perfil do config.toml a usar
    .base_url = O endereço do serviço de pagamentos (https, ou http só neste computador)
    .lang = O idioma; sem isso, o do sistema
    .theme = O tema: auto, default, light, dark, high-contrast, mono, mocha, gruvbox, ou um arquivo seu
    .ascii = Desenha só com letras simples, para fontes sem linhas e sinais
    .accessible = Só linhas de texto, para leitores de tela
    .vault = Onde guardar as credenciais: keyring (no chaveiro do sistema, também para a próxima vez), keyutils (no kernel do Linux, até você encerrar a sessão), helper (com o comando do perfil, por exemplo para o pass), env (não guarda: lê BALCAO_TOKEN, BALCAO_JWT e BALCAO_LOGIN; BALCAO_ORIGIN diz para qual endereço) ou memory (só na memória; somem quando você sai). Sem isso, onde o último login foi guardado
    .read_only = Só para olhar: envia só o login e consultas por GET
    .redact = Para mostrar a tela a outros: chaves Pix, documentos, e-mails, nomes e saldos aparecem mascarados
    .record = Grava a tela neste arquivo novo, para o suporte, sem nomes, chaves e endereços
    .since = Só a partir deste dia ou horário, no seu fuso
    .until = Só até o fim deste dia, ou antes deste horário, no seu fuso
    .limit = No máximo N linhas, a partir da mais nova
    .help = Mostra esta ajuda
    .help-more = Mostra esta ajuda (com --help, mais detalhes)
    .help-less = Mostra esta ajuda (com -h, um resumo)
    .version = Mostra a versão
help-demo = Abre o programa num sandbox próprio: nada a configurar, nenhum dinheiro de verdade
    .keep = Guarda o registro de saques da demonstração nesta pasta, e não em uma temporária; assim ela não recomeça do zero
    .faults = Falhas programadas no sandbox (TOML)
    .script = Conta a história deste arquivo (TOML): falhas, domínios, pagamentos e legendas, passo a passo
    .share = Atende também neste endereço deste computador, para que os celulares da sala abram e paguem os links no sandbox; só as páginas de pagamento ficam acessíveis ali
    .dialect = O dialeto do sandbox: o nome de um formato que vem com o programa
    .kiosk = Para desconhecidos, por exemplo por SSH: não lê configurações, nem variáveis além de TERM e LANG, nem arquivos da conta; não abre programas; não guarda nada. Não aceita --keep, --faults, --script, --share, --profile, --base-url nem --vault
    .room = Com --kiosk, na tela de uma sala: sem limites de tempo
    .time_zone = Com --kiosk, o fuso horário, como America/Sao_Paulo; a variável TZ não é lida
    .show_keys = Mostra na tela as teclas que você aperta, para a plateia; nunca as de um campo secreto
help-sandbox = Simula o serviço de pagamentos neste computador, para testes e para curiosos
    .listen = Onde atender: IP e porta, só neste computador
    .data = Guarda neste arquivo o que acontece no sandbox
    .faults = Falhas programadas (TOML)
    .dialect = O dialeto em que responde: o nome de um formato que vem com o programa, ou um arquivo (TOML)
    .statement = Ao terminar, escreve neste arquivo novo o extrato (OFX) do que o banco do sandbox recebeu
    .from_har = Repete as solicitações e as respostas de um arquivo exportado (HAR), para ver o problema de outra pessoa; não aceita --data, --faults e --dialect
    .delays = Espera, antes de cada resposta, o tempo que ela levou na gravação; no máximo um minuto
    .at = Começa pela solicitação gravada deste número; login, domínios e taxas de antes dela ainda têm resposta
    .last_failure = Começa pela última solicitação gravada que falhou
help-login = Entra na conta do perfil, sem abrir a tela
    .long = Entra na conta do perfil, sem abrir a tela

        Pergunta o que o serviço pede e guarda o que ele dá, no mesmo lugar que o programa usa. Antes de pedir a senha, verifica se dá para guardar. Termina com 0 se você entrou, com 1 se o serviço recusou, com 2 se não dá para guardar ou se falta aceitar o formato do serviço deste perfil: então nada é enviado.
    .user = A conta, como o e-mail; sem isso, é perguntada
    .password_stdin = Lê a senha da entrada padrão, até o fim da linha
    .agree = Aceita o endereço e o formato do serviço deste perfil, pela soma que balcao contract show mostra
help-logout = Sai da conta do perfil: apaga as credenciais guardadas
help-whoami = Mostra quem entrou e até quando vale, nunca o token; termina com 1 se ninguém entrou
    .json = Um objeto JSON
help-doctor = Verifica terminal, configuração, credenciais, registros e rede, e diz o que fazer
    .long = Verifica terminal, configuração, credenciais, registros e rede, e diz o que fazer

        Só olha: não cria nada, não entra na conta e não movimenta dinheiro. Ao serviço pede só um sinal de vida, sem credencial. Cada verificação tem um tempo máximo. Termina com 0 se tudo funciona, também quando há avisos, e com 1 se há um problema.
    .json = Um objeto JSON, para o suporte: sem segredos e sem dados pessoais
help-play = Mostra uma gravação do balcão, tela por tela, para a frente e para trás
    .long = Mostra uma gravação do balcão, tela por tela, para a frente e para trás

        Não faz nada além de mostrar: não lê credenciais, não entra em conta nenhuma e não usa a rede. Espaço toca e pausa, as setas andam por tela e por evento, m, x e r vão à próxima marca, ao próximo erro e à próxima solicitação, / procura um texto e t vai a um tempo; `e` lista os eventos e todas as teclas. De um arquivo cortado, danificado ou de uma versão mais nova, mostra o que dá.
    .file = O arquivo da gravação
    .screen = Imprime a tela deste número como texto
    .cast = Escreve a gravação no formato asciicast v2, que o asciinema toca
help-completions = Mostra o script que completa os comandos com Tab
    .shell = O shell: bash, zsh ou fish
help-man = Grava as páginas de manual, uma para cada comando
    .directory = A pasta onde gravar; se não existir, é criada
man-name = NOME
man-synopsis = SINOPSE
man-description = DESCRIÇÃO
man-version = VERSÃO
help-value-shell = SHELL
help-value-amount = VALOR
help-value-host = DOMÍNIO
help-value-login = CONTA
help-value-sum = SOMA
help-links = Os links de pagamento criados aqui
help-links-list = Lista os links, do mais novo ao mais antigo
    .json = Um objeto JSON por linha
    .state = Só os links neste estado: created (criado), paid (marcado como pago), refused (recusado), not-sent (não enviado) ou unknown (pode existir)
    .journal = Lista o registro desta pasta, como a que `demo --keep` deixou
help-links-create = Cria um link e mostra o endereço dele
    .amount = Valor, como 49,90
    .description = O que o comprador vê na página de pagamento
    .domain = Domínio do link; sem ele, o serviço escolhe
    .json = Escreve um objeto JSON
    .agree = Aceita as linhas do formato do serviço com esta soma, sem perguntar
help-links-import = Cria os links de um arquivo CSV: uma linha, um link
    .long = Cria os links de um arquivo CSV. O cabeçalho dá o nome das colunas: valor e descrição, e se quiser domínio e nota.
        Antes de enviar, mostra quantos links serão criados, a soma e as linhas com problema. Uma linha igual a um link dos últimos 30 dias não é enviada de novo. O resultado fica num arquivo igual ao seu, com o endereço de cada link.
        Termina com 0 se todos os links foram criados, 1 se o serviço recusou algum, 2 se há linhas com problema, 3 se parou antes do fim.
    .file = O arquivo CSV da planilha
    .dry_run = Só confere o arquivo; nada é enviado
    .result = Onde escrever o resultado (sem isto, o nome do arquivo com -resultado)
    .resume = Continua o envio que parou; linhas sem resposta não são enviadas de novo
    .skip_faults = Deixa de fora as linhas com problema
    .again = Cria de novo também os links que já existem
    .unit = A unidade de uma coluna só de números inteiros: reais ou centavos
    .rate = Links por segundo, no máximo
    .json = Escreve um objeto JSON por link, assim que é criado
    .agree = Aceita as linhas do formato do serviço com esta soma, sem perguntar
help-charges = As cobranças criadas aqui
help-charges-list = Lista as cobranças, da mais nova à mais antiga; o código Pix aparece com --json
    .json = Um objeto JSON por linha
    .state = Só as cobranças neste estado: created (criada), paid (marcada como paga), refused (recusada), not-sent (não enviada) ou unknown (pode existir)
    .journal = Lista o registro desta pasta, como a que `demo --keep` deixou
help-withdrawals = Os saques feitos aqui, e o que cada estado prova
help-withdrawals-list = Lista os saques: primeiro os em aberto, depois os preparados, depois os outros, do mais novo ao mais antigo
    .json = Um objeto JSON por linha
    .state = Só os saques neste estado: prepared, sending, unknown, accepted, rejected, needs-person, mismatch, discarded, resolved-paid ou resolved-not-paid
    .limit = Só os N saques mais novos, do mais novo ao mais antigo
    .journal = Lista o registro desta pasta, como a que `demo --keep` deixou
help-reconcile = Compara um extrato com links, cobranças e saques; sem --mark, só mostra
    .file = O extrato: OFX ou CSV, do banco ou do serviço
    .mark = Marca como pagas as cobranças com o código delas no extrato; um valor igual não basta
    .undo = Desfaz as marcas do último extrato que ninguém mudou depois
    .json = Um objeto JSON por linha
    .journal = Compara com o registro desta pasta, como a que `demo --keep` deixou
help-report = Os números de um período: links, marcas de pago, cobranças, saques e taxas
    .long = Soma o que foi feito aqui num período: links e cobranças, com e sem marca de pago, e saques aceitos, com taxas e valor líquido. Sem datas, o mês atual.
        A marca de pago vem de você, de um extrato ou do sandbox; o serviço não avisa. Saques em aberto ou sem taxa conhecida são contados ao lado, fora das somas. Só lê: não muda nada.
    .from = O primeiro dia
    .to = O último dia
    .by = Uma linha por dia (day), semana (week), mês (month), domínio (domain), descrição (description) ou estado (state)
    .json = Um objeto JSON; com --by, um por linha
    .csv = CSV para a planilha da contabilidade: ponto e vírgula, vírgula decimal
    .plain = Com --csv, para programas: vírgula, ponto decimal, sem a marca do Excel
    .journal = Lê o registro desta pasta, como a que `demo --keep` deixou
help-domains = Os domínios em que os seus links abrem
help-domains-list = Pergunta ao serviço quais são os domínios e mostra a lista; não guarda nada
    .json = Um objeto JSON por linha
    .state = Só os domínios neste estado: active (ativo), usable (pode ser usado: a resposta não traz estados), unread (a resposta talvez traga o estado, mas não é lido) ou pending (ainda não ativo)
    .limit = No máximo N domínios
    .agree = Aceita o endereço e o formato do serviço deste perfil, pela soma que balcao contract show mostra
help-journal = Cuida do registro de saques, que evita pagamento em dobro
    .journal = A pasta do registro de saques, em vez da do serviço do perfil
help-journal-verify = Diz se o registro de saques está íntegro
    .long = Diz se o registro de saques está íntegro

        Lê todos os eventos e confere as somas de verificação, o arquivo money.head e o que cada evento significa. Não grava nada: funciona em um disco só de leitura e com outras janelas abertas. Mostra quantos saques há em cada estado e qual é o último evento. Termina com 0 se o registro está íntegro. Se não está, ou se não há nenhum, termina com 1 e diz o que fazer.
help-journal-export = Escreve todos os eventos, um objeto JSON por linha
    .long = Escreve todos os eventos, um objeto JSON por linha

        Nada fica de fora: vão as chaves Pix, o conteúdo das solicitações e o que o serviço respondeu. `plain` e `personal` são textos JSON exatamente como estão no registro (com jq: `.plain|fromjson`), porque as somas de verificação são desses bytes. De um registro danificado sai o que dá para ler até o dano; o comando termina com 1 e diz onde ele está.
    .out = Escreve neste arquivo novo, que só você pode ler; `-` é a saída padrão, como sem esta opção
help-journal-forget-missing = Desiste de um registro de saques que sumiu, para começar um novo
    .long = Desiste de um registro de saques que sumiu, para começar um novo

        Para quando os arquivos foram apagados de propósito e os saques estão bloqueados porque o balcão se lembra deles. Os saques feitos antes deixam de ser conhecidos aqui: primeiro, confira na sua conta se há algum em aberto. O comando explica o que isso significa e pede que você digite o nome da pasta. Não faz nada enquanto houver algum arquivo do registro.
help-journal-make-live = Faz do registro desta pasta o registro em uso, no lugar de outro
    .long = Faz do registro desta pasta o registro em uso, no lugar de outro
help-journal-set-aside = Põe de lado um registro de saques danificado, para começar um novo
    .long = Põe de lado um registro de saques danificado, para começar um novo

        Os arquivos vão como estão para uma pasta ao lado; nada é apagado. Os saques feitos antes deixam de ser conhecidos aqui: primeiro, confira na sua conta se há algum em aberto. Se houver uma cópia de segurança feita depois do último saque, restaure essa cópia em vez disso. O comando explica o que isso significa e pede que você digite o nome da pasta. Não faz nada se o registro está íntegro.
help-contract = Mostra, compartilha e confere o formato do serviço: o que o programa supõe sobre ele
help-contract-show = Mostra cada linha em vigor e de onde ela vem
    .long = Mostra cada linha em vigor e de onde ela vem

        Depois de cada linha: se está na documentação do serviço, se foi confirmada ou se é uma suposição; e se veio com o programa, de um formato com nome ou de um arquivo seu, com o número da linha.
    .json = Um objeto JSON por linha
help-contract-share = Escreve o formato do serviço sem nada que seja seu, para dar a outra pessoa
    .long = Escreve o formato do serviço sem nada que seja seu, para dar a outra pessoa

        Só as linhas que mudam alguma coisa, como um arquivo. Não há endereço do serviço nem credenciais; no lugar de valores fixos, de cabeçalhos e dos que estão num caminho depois de “?” fica um sinal. Leia antes de dar: um caminho ou um rótulo também pode dizer quem você é.
help-contract-check = Compara o formato com o serviço, só com perguntas
    .long = Compara o formato com o serviço, só com perguntas

        Com as credenciais guardadas, pede a lista de domínios e a taxa de um saque de R$ 100,00. Nada é criado e nenhum dinheiro sai. Termina com 0 se tudo corresponde, senão com 1. Se falta aceitar o formato do serviço deste perfil, nada é enviado e termina com 2.
    .agree = Aceita o endereço e o formato do serviço deste perfil, pela soma que balcao contract show mostra
help-data = Os dados neste computador: leva para outro lugar, ou apaga
help-data-export = Escreve links, cobranças e apelidos, um objeto JSON por linha
    .long = Escreve links, cobranças e apelidos, um objeto JSON por linha

        Tudo o que o histórico sabe de cada um: links com a marca de pago, o bilhete e a hora em que foram guardados, cobranças com os dados do comprador, chaves Pix com o apelido que você deu. `kind` diz o que é cada linha. Os saques saem com balcao journal export.
    .out = Escreve neste arquivo novo, que só você pode ler; `-` é a saída padrão, como sem esta opção
    .journal = A pasta do registro de saques, em vez da do serviço do perfil
help-data-purge = Apaga dados pessoais antigos, para sempre
    .long = Apaga dados pessoais antigos, para sempre

        Dos saques encerrados antes da data: a chave Pix, o conteúdo da solicitação e o que o serviço respondeu. Valor, datas e resultado ficam, e o registro continua verificável. Dos links, das cobranças diretas e dos apelidos de antes da data: tudo. Um saque em aberto, preparado ou encerrado nas últimas 24 horas nunca é tocado. Funciona com outras janelas abertas; até abrirem de novo, elas ainda podem achar pela chave Pix o que foi apagado.
    .before = O primeiro dia que fica, no seu fuso
    .journal = A pasta do registro de saques, em vez da do serviço do perfil
    .yes = Não pergunta
help-requests = As solicitações guardadas: lista, exporta, ou procura num arquivo delas
help-requests-list = Lista as solicitações guardadas, da mais nova à mais antiga; o conteúdo aparece com --json
    .json = Um objeto JSON por linha, com as credenciais mascaradas
    .state = Só as solicitações com este resultado: ok (código 2xx), error (outro código), no-answer (sem resposta), cancelled (cancelada), not-sent (não enviada) ou failed (falhou)
help-requests-export = Escreve as solicitações guardadas e as respostas num arquivo para o suporte
    .long = Escreve as solicitações guardadas e as respostas num arquivo para o suporte

        O arquivo é um HAR, que navegadores e muitas ferramentas leem. Credenciais e dados pessoais viram o tipo e um número, como ‹cpf 1›; valores, estados, horários, os códigos dos saques e as palavras conhecidas das mensagens, como “saldo”, ficam. O arquivo também diz com que versão, terminal, idioma e configurações as solicitações foram feitas. Só entram as solicitações do perfil ao serviço dele.
    .har = Escreve neste arquivo novo, que só você pode ler; `-` é a saída padrão
    .last = Só as N solicitações mais novas
    .since = Só solicitações a partir deste dia ou horário, no seu fuso
    .of = Só as solicitações do link, da cobrança ou do saque com este código; o endereço do link também serve
    .strict = Mascara também as palavras do serviço: estados, códigos e mensagens
help-requests-check = Descobre se um texto aparece num arquivo, mesmo codificado ou compactado
    .long = Descobre se um texto aparece num arquivo, mesmo codificado ou compactado

        Meu CPF está aí dentro? Cada texto é procurado como está, com maiúsculas ou minúsculas, com e sem acentos e separadores como pontos, traços e espaços, e dentro de JSON, HTML, endereços, hexadecimal, base64, gzip e deflate, em UTF-8, UTF-16 ou Latin-1. Uma data é procurada nas duas ordens. Um telefone também é procurado sem o DDD, e de um texto com várias palavras, também cada uma que tenha pelo menos 4 letras; isso sai marcado como parte do texto. Um texto na linha de comando fica no histórico do seu shell: com `-` no lugar do texto, os textos são lidos da entrada padrão, um por linha. Termina com 0 se nada foi achado, senão com 1 e os lugares.
    .file = O arquivo onde procurar, como um arquivo HAR
    .texts = O que procurar, com pelo menos 3 letras ou números; `-` lê da entrada padrão
help-help = Mostra esta ajuda, ou a de um comando

# Títulos da ajuda e os marcadores entre colchetes.
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
help-value-dialect = NOME|ARQUIVO
help-value-addr = IP:PORTA
help-value-ip = IP[:PORTA]
help-value-text = TEXTO
help-value-date = AAAA-MM-DD
help-value-time = "AAAA-MM-DD HH:MM"
help-value-n = N
help-value-state = ESTADO
help-value-code = CÓDIGO
help-value-zone = FUSO

# Erros numa linha de comando.
mistake-argument = O argumento “{ $what }” não existe aqui.
mistake-command = O comando “{ $what }” não existe.
mistake-nearest = Você quis dizer { $what }?
mistake-no-value = Falta o valor de { $what }.
mistake-value = O valor “{ $value }” não serve para { $what }.
mistake-allowed = Valores aceitos: { $values }.
mistake-example = Exemplo: { $value }
mistake-takes-none = { $what } não aceita valor.
mistake-twice = { $what } aparece mais de uma vez.
mistake-missing = Falta: { $what }
mistake-no-command = Falta o comando: { $values }
mistake-other = Não foi possível entender a linha de comando.
mistake-help = Para ver tudo o que existe: --help

# Motivos pelos quais um comando falhou.
complaint-not-a-demo = Em { $dir } estão os seus próprios registros, e não os de uma demonstração. Use outra pasta em --keep.
complaint-relative = { $variable } tem o caminho relativo “{ $path }”: use um caminho que comece na raiz, ou não defina a variável.
complaint-no-home = Não há pasta pessoal. Diga em BALCAO_CONFIG_DIR e BALCAO_STATE_DIR onde guardar os arquivos.
complaint-temporary = A demonstração precisa de uma pasta temporária, e { $dir } não serve: a pasta precisa existir, ter espaço e permitir gravação. Indique outra na variável TMPDIR.
complaint-kiosk-with = { $flag } não vale com --kiosk: um quiosque não lê nada de fora e não guarda nada. Tire um dos dois.
complaint-kiosk-time-zone = O quiosque não conhece o fuso horário { $zone }. Use um nome como America/Sao_Paulo; o pacote tzdata traz os nomes.
complaint-kiosk-full = Há visitantes demais agora. Tente de novo em alguns minutos.
complaint-kiosk-dir = O quiosque precisa da pasta { $dir } para seus arquivos enquanto roda, e ela não serve: { $why }. Precisa ser desta conta, fechada para os outros (modo 700) e ter espaço. Remova o que está lá, e o quiosque a cria de novo.
login-hidden = { $label } (não aparece enquanto você digita):
login-blank = { $label }: em branco.
login-not-utf-8 = A senha não está em UTF-8: confira a codificação do arquivo ou do terminal.
login-too-long = A senha passa de 16 KiB.
login-wants-terminal = Aqui não há terminal para perguntar. Use --user com a conta e --password-stdin com a senha na entrada padrão.
login-into-memory = Com --vault memory o login acabaria junto com este comando. Escolha onde guardar: --vault keyring, keyutils ou helper.
login-done = Você entrou como { $identity }. O acesso { $place }.
list-when = Data e hora
list-state = Situação
list-request = Solicitação
list-none-found = Nada na lista com estes filtros.
list-more-pages = A lista continua em outra página, que não foi lida.
list-key = Código { $key }
logout-nobody = Ninguém estava na conta: não havia credenciais guardadas aqui.
logout-done = Você saiu da conta: as credenciais foram apagadas daqui.
whoami-none = não há
complaint-no-address = Onde fica o serviço de pagamentos? Diga com --base-url https://…, ou em `base-url` de [profiles.{ $profile }] no config.toml.
    Para conhecer sem ter conta: balcao demo
complaint-no-helper = Qual comando guarda as credenciais? Diga em `vault-helper` de [profiles.{ $profile }], em { $file }: um caminho completo, ou o nome de um programa do PATH.
complaint-ca-file = { $file }: não traz nenhum certificado em PEM que possa ser usado. Confira o que `ca-file` aponta.
complaint-team-database = { $file }: o endereço do banco de dados da equipe não pode ser usado ({ $why }). Escreva como postgres://ana@db.loja.example/loja, sem a senha.
complaint-proxy = { $file }: `proxy` leva só esquema, nome e porta, como http://proxy.example:3128.
complaint-proxy-secret = { $file }: `proxy` não pode levar usuário nem senha: este arquivo não guarda segredos.
complaint-helper = { $file }: `vault-helper = "{ $command }"` não é um caminho completo nem o nome de um programa do PATH. Argumentos não são aceitos.
complaint-environment-login = De quem é o BALCAO_TOKEN? Ele não diz. Ponha em BALCAO_LOGIN a conta dele, como o e-mail com que se entra: o balcão não mistura saques de contas diferentes.
complaint-environment-no-origin = Para que serviço são as credenciais do ambiente? Ponha em { $variable } o endereço dele. O endereço em uso é { $origin }. Nada foi enviado.
complaint-environment-origin = As credenciais do ambiente são de outro serviço: { $variable } diz { $named }, e o endereço em uso é { $origin }. Nada foi enviado.
complaint-environment-value = { $variable } não é um token: tem espaço, quebra de linha ou letra acentuada no meio, ou é longo demais.
complaint-environment-jwt = { $variable } não é um JWT: um JWT tem partes separadas por pontos e começa com “eyJ”. Copie de novo o JWT inteiro.
complaint-environment = Não deu para tirar os segredos do ambiente antes de começar: { $why }. O balcão não abre assim, porque outros programas os herdariam.
complaint-vault-file = Não dá para saber onde o último login foi guardado: { $why }. Diga com --vault.
complaint-with-address = Estes perfis têm endereço, escolha com --profile: { $known }
complaint-address = --base-url { $address }: { $why }
complaint-address-of-profile = { $place }: em [profiles.{ $profile }], base-url { $address }: { $why }
complaint-line = { $file }, linha { $line }
complaint-lines = { $file }, linhas { $line } e { $other }
address-not-one = não é um endereço como https://api.example.com.
address-scheme = só endereços https são usados.
address-not-encrypted = http só vale para este computador; use https.
address-user-info = o endereço não pode levar usuário nem senha.
address-query = o endereço não pode ter uma consulta (`?`).
address-fragment = o endereço não pode ter um fragmento (`#`).
complaint-file-there = { $path } já existe e não foi alterado: escolha outro nome.
complaint-export-masked = O que se exporta leva os dados pessoais por inteiro: repita sem --redact.
complaint-record-app = --record grava a tela: vale só com balcao e com balcao demo.
complaint-log = { $variable } tem o valor “{ $value }”, que não é um nível: use { $known }, ou não defina a variável.
complaint-language = O balcão não fala { $tag }: só pt-BR e en.
complaint-contract = O formato { $name } não existe. Os que vêm com o programa: { $known }. Também pode ser um arquivo ao lado da configuração.
    .near = O formato { $name } não existe; você quis dizer { $nearest }? Os que vêm com o programa: { $known }. Também pode ser um arquivo ao lado da configuração.
complaint-dialect = O sandbox não fala o dialeto { $name }. Os que vêm com o programa: { $known }.
    .near = O sandbox não fala o dialeto { $name }; você quis dizer { $nearest }? Os que vêm com o programa: { $known }.
complaint-theme = O tema { $name } não existe (os do programa são { $known }), e não foi possível ler { $file }: { $why }
complaint-profile = O perfil { $name } não existe; os que existem: { $known }.
complaint-no-profiles = O perfil { $name } não existe. Perfis ficam no config.toml, como [profiles.NOME].
complaint-template = { $file }, linha { $line }: a mensagem dos links (message, em [links]) não serve. { $why }
complaint-template-reminder = { $file }, linha { $line }: a mensagem do lembrete (message, em [reminder]) não serve. { $why }
complaint-template-charge = { $file }, linha { $line }: a mensagem das cobranças (message, em [charges]) não serve. { $why }
template-fields = { $open }descricao{ $close }, { $open }valor{ $close }, { $open }url{ $close } e { $open }nota{ $close }
template-fields-charge = { $open }descricao{ $close }, { $open }valor{ $close }, { $open }codigo{ $close }, { $open }comprador{ $close } e { $open }vencimento{ $close }
template-no-field = O campo { $name } não existe; use { $fields }.
template-not-closed = Um { $open } ficou sem fechar; os campos são { $fields }.
template-no-address = Falta o endereço: inclua { $url }.
template-no-code = Falta o código Pix: inclua { $open }codigo{ $close }.
complaint-text-short = Cada texto a procurar precisa de pelo menos { $least } letras ou números, como 529.982.247-25 ou ana@loja.example.
complaint-not-text = Não dá para procurar em { $file }: não é texto. Se o arquivo estiver compactado, descompacte e procure de novo.
complaint-nothing-to-search = Não há o que procurar em { $file }: o arquivo está vazio.
complaint-unreadable = Não foi possível ler { $file }: { $why }
complaint-not-a-recording = { $file } não é uma gravação do balcão.
complaint-recording-large = { $file } é grande demais: uma gravação tem no máximo { $limit } MiB.
complaint-no-screen = Não dá para mostrar a tela { $number }: a gravação tem { $frames }.
complaint-play-lines = O player precisa da tela inteira. No modo acessível, use balcao play --screen N.
complaint-no-folder = A pasta { $folder } não existe.
complaint-not-yet = --before { $date }: esse dia ainda não começou.
complaint-kiosk-no-terminal = Este quiosque precisa de um terminal: conecte com `ssh -t`. (This kiosk needs a terminal: connect with `ssh -t`.)
complaint-no-input = A entrada padrão não é um terminal: abra o balcão num terminal, sem `<` nem `|` antes dele.
complaint-no-output = A saída padrão não é um terminal: abra o balcão num terminal, sem `>` nem `|` depois dele.
complaint-dumb-terminal = Este terminal se apresenta como TERM=dumb, que só imprime uma linha depois da outra: abra o balcão em outro terminal, ou corrija TERM (por exemplo, TERM=xterm-256color).
complaint-beyond = O sandbox não atende em { $address }: outros computadores chegariam lá. Use 127.0.0.1 ou [::1].
complaint-cannot-listen = O sandbox não consegue atender em { $address }: { $why }
complaint-data-busy = O arquivo { $file } está em uso por outro sandbox. Feche o outro ou escolha outro arquivo.
complaint-no-data = { $file } não é um arquivo de sandbox que esta versão leia ({ $why }). Ele ficou como está: mova-o ou escolha outro.
complaint-har-with = { $flag } não vale com --from-har: o que a gravação responde já está no arquivo. Tire um dos dois.
complaint-har-large = { $file } é grande demais: o limite é de 64 MiB. Exporte menos solicitações, com --last, --since ou --of.
complaint-har-not = { $file } não é uma gravação de solicitações (HAR) que dê para usar. Peça para exportar de novo: com balcao requests export --har ou, num navegador, com "Salvar tudo como HAR". Detalhe: { $why }
complaint-har-no-entries = { $file } não tem a lista de solicitações em log.entries, onde um arquivo HAR a tem. Peça o arquivo inteiro: de balcao requests export --har ou de um navegador, com "Salvar tudo como HAR".
complaint-har-many = { $file } tem { $why } solicitações; dá para repetir no máximo 20000. Exporte menos: balcao requests export tem --last e --since; num navegador, limpe a lista antes de repetir o problema.
complaint-replay-dir = Para repetir uma gravação, o balcão precisa da pasta { $dir } para os arquivos dela, e a pasta não serve: { $why }. Precisa ser desta conta, fechada para os outros (modo 700) e ter espaço. Remova o que está lá, e o próximo início a cria de novo.
complaint-replay-at = --at { $n }: em { $file } dá para repetir { $count } solicitações. Sem --at, a lista mostra os números.
complaint-replay-no-failure = Em { $file } nenhuma solicitação falhou, então não há última falha por onde começar. Use --at com um número da lista.
complaint-har-contract = O formato do serviço que está em { $file } não vale nesta versão. Use a versão do balcão que exportou o arquivo. Detalhe: { $why }
complaint-har-unusable = Em { $file } não há solicitação que dê para repetir. A primeira que não serve: { $why }
complaint-har-empty = Em { $file } nenhuma solicitação foi enviada. Peça para exportar de novo depois de repetir o problema.
complaint-share = --share { $address }: { $why }
share-not-an-address = não é um endereço IP. Use o deste computador na rede da sala, como 192.168.0.10 ou 192.168.0.10:8080.
share-unspecified = este endereço vale por todos, e os links precisam de um só. Use o deste computador na rede da sala.
share-of-many = este endereço é de vários computadores ao mesmo tempo. Use o deste computador na rede da sala.
share-link-local = um celular não consegue abrir este endereço. Use outro deste computador, como o que começa com 192.168.
share-not-here = este computador não tem este endereço. Veja quais ele tem nas configurações de rede.
share-in-use = outro programa já usa esta porta. Use outra, ou tire a porta: o balcão acha uma livre.
share-refused = o sistema não deixa atender ali: { $why }
share-means = Esta demonstração também vai atender em { $origin }, para os celulares da sala.

    Quem chegar a este endereço pela rede pode abrir as páginas de pagamento dos links que você criar, e pagar no sandbox. Nenhum dinheiro de verdade é movimentado.
    Só essas páginas ficam acessíveis ali: nem o login, nem os saques, nem os comandos do sandbox. A conexão não é criptografada (http).
    Termina quando você sai do balcão.
share-this-machine = Atenção: só este computador chega a { $origin }; os celulares, não.
share-ask = Enter abre o balcão; Ctrl-C cancela.
complaint-secret = O sandbox não consegue se identificar com { $file }: { $why }. Confira o arquivo e apague-o: um novo é criado na próxima vez.
secret-no-file = é um link, ou não é um arquivo
secret-not-private = outros usuários podem ler ou mudar o que está nele, ou ele não é seu
secret-malformed = o conteúdo não é o de um sandbox
unproven-loopback = Nenhum sandbox se identificou em { $address }: esta é a conta real. Para ver a lista de um sandbox desligado, use --journal { $folder }
keys-place = [{ $place }] não é um lugar; os lugares são anywhere, lists, forms, dialogs.
keys-action = Em [{ $place }] não existe a ação { $action }.
keys-key = { $key } (de { $action }) não é uma tecla; escreva como a, G, Ctrl-K, F1, Enter, PgUp.
keys-twice = { $key } está em { $first } e também em { $second }, em [{ $place }].
keys-way-out = { $key } está em { $action }, de [{ $place }], e também em { $way }: a tecla de voltar, sair ou fechar não pode fazer mais nada.
theme-no-colour = “{ $name }” não é uma cor. Escreva como red, light-blue, 208 ou #d75f00.
theme-faint = em [{ $role }], o texto { $text } não dá para ler sobre o fundo { $ground }: o contraste é { $contrast }; o mínimo é { $least }.
    .cursor = em [{ $role }], o texto { $text } não dá para ler na linha do cursor, de fundo { $ground }: o contraste é { $contrast }; o mínimo é { $least }.
theme-same = em [{ $role }], texto ({ $text }) e fundo ({ $ground }) são da mesma cor. Das 16 cores do terminal não se sabe o contraste: elas precisam ao menos ser diferentes.
history-moved = O histórico estava danificado ({ $why }) e um novo começou; o antigo agora é { $to }
history-aside = Um histórico danificado está guardado à parte ({ $file }). Os links e cobranças dele não aparecem aqui.

contract-documented = documentada
contract-confirmed = confirmada
contract-assumed = suposta
contract-built-in = do programa
contract-preset = do formato { $name }
contract-unasked = O que já foi confirmado aparece aqui como suposto. { $why }
contract-sum = soma para --agree: { $sum }
consent-news-mark = {" "}(mudou desde a última vez)
consent-ask = Você leu e aceita estas linhas? Digite { $word } e tecle Enter. Qualquer outra coisa cancela:
consent-given-up = Você não aceitou estas linhas. Nada foi enviado.
consent-name-sum = Nada foi enviado. Leia as linhas. Para aceitar, rode o comando num terminal, ou dê --agree com a soma que balcao contract show mostra.
consent-unkept = Este cofre não guarda o que você aceita: num script, passe --agree em cada comando.
consent-other-sum = Nada foi enviado: a soma de --agree é de outras linhas. Leia as linhas de agora; balcao contract show mostra a soma delas.
contract-claims = O seu arquivo diz “confirmed”; isso não vale.
contract-share-heading = Um formato de serviço do balcão, sem endereço e sem credenciais.
contract-share-nothing = Nenhuma linha é diferente das do programa: não há o que compartilhar.
contract-share-blank = aqui estava um valor de quem compartilhou
contract-check-token = Token da API
contract-check-jwt = JWT dos links
contract-check-domains = Domínios
contract-check-fee = Taxa de um saque de R$ 100,00
contract-check-stored = guardado
contract-check-expired = expirado; entre de novo no balcão
contract-check-absent = não há; entre no balcão com este perfil
contract-check-unasked = não consultado: falta a credencial
contract-check-listed = corresponde; domínios na lista: { $count }
contract-check-quote = lida em { $unit }; a unidade não está provada; taxa { $fee }, líquido { $net }
    .proved = lida em { $unit }, a unidade que você conferiu; taxa { $fee }, líquido { $net }
contract-check-all = O balcão leu todas as respostas com este formato. Esta verificação não criou nada e não movimentou dinheiro.
contract-check-not-all = Nem tudo corresponde ao formato do serviço, ou não foi possível saber. Esta verificação não criou nada e não movimentou dinheiro. balcao contract show diz onde fica cada linha.

requests-export-done = { $n ->
    [one] { $n } solicitação está em { $file }, sem segredos e dados pessoais. Antes de passar adiante, procure os seus dados com balcao requests check.
   *[other] { $n } solicitações estão em { $file }, sem segredos e dados pessoais. Antes de passar adiante, procure os seus dados com balcao requests check.
}
requests-export-printed = { $n ->
    [one] { $n } solicitação foi escrita na saída padrão, sem segredos e dados pessoais. Antes de passar adiante, procure os seus dados com balcao requests check.
   *[other] { $n } solicitações foram escritas na saída padrão, sem segredos e dados pessoais. Antes de passar adiante, procure os seus dados com balcao requests check.
}
requests-export-no-code = Nenhum link, cobrança ou saque daqui tem o código { $code }. Servem o endereço de um link ou a última parte dele, o código de uma cobrança e o de um saque.
requests-moved = O arquivo das solicitações guardadas estava danificado. Ele agora está à parte na pasta requests, junto do registro de saques: { $name }. Isso não afeta o dinheiro. Se você não precisar dele, apague-o.
requests-export-off = Nada a exportar: as solicitações duram até você sair, porque config.toml tem keep = false em [requests].
requests-export-none = Nada a exportar: não há solicitação guardada do perfil { $profile } para { $origin }.
requests-export-other-version = { $n ->
    [one] { $n } solicitação guardada por outra versão ficou de fora.
   *[other] { $n } solicitações guardadas por outra versão ficaram de fora.
}
requests-export-none-found = { $n ->
    [one] Nada a exportar: há { $n } solicitação guardada, que --since ou --of deixa de fora.
   *[other] Nada a exportar: há { $n } solicitações guardadas, e --since ou --of deixa todas de fora.
}
requests-check-clean = { $n ->
    [one] Não achei: o texto não está em { $file }.
   *[other] Não achei: nenhum dos { $n } textos está em { $file }.
}
requests-check-limits = Não entram na busca: imagens, o que está criptografado ou compactado de outro jeito que gzip ou deflate, nem o que passa de 64 MiB ao descompactar.
requests-check-found = Achei em { $file }:
requests-check-hit = texto { $n }: { $place } ({ $encoding })
    .part = parte do texto { $n }, uma palavra ou um telefone sem o DDD: { $place } ({ $encoding })
requests-check-hit-line = texto { $n }: linha { $place } ({ $encoding })
    .part = parte do texto { $n }, uma palavra ou um telefone sem o DDD: linha { $place } ({ $encoding })
requests-check-more = { $n ->
    [one] e em mais { $n } lugar
   *[other] e em mais { $n } lugares
}
encoding-plain = como texto comum
encoding-json = com escapes de JSON
encoding-html = com escapes de HTML
encoding-percent = codificado como num endereço
encoding-hex = em hexadecimal
encoding-base64 = em base64
encoding-latin1 = com acentos trocados

replay-steps = O que foi gravado, em ordem (> começa aqui, ! falhou), e o que teclar no balcão:
replay-no-reply = sem resposta
replay-keys-login = entre com os dados acima
replay-keys-domains = vem depois do login; de novo: { $pane }, { $refresh }
replay-keys-fee = vem quando você digita o valor de um saque
replay-matched = { $request }: igual à { $n }
replay-login-accepted = { $request }: aceita, pois nenhum login foi gravado para ela
replay-unmatched = { $request }: nada parecido foi gravado
replay-nearest-amount = { $request }: nada igual; a mais próxima é a { $n }, com { $amount }
replay-nearest-played = { $request }: não sobrou nada igual; a { $n } já foi respondida
replay-nearest-content = { $request }: nada igual; a mais próxima é a { $n }, com outros campos ou valores
