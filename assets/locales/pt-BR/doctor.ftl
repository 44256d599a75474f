# balcao doctor, e a mesma página no app.
doctor-title = Diagnóstico
doctor-wait = Verificando
doctor-verdict-fine = ok
doctor-verdict-note = aviso
doctor-verdict-broken = problema
doctor-all-fine = Tudo em ordem.
doctor-notes = { $n ->
    [one] Nada impede o uso; há 1 aviso.
   *[other] Nada impede o uso; há { $n } avisos.
}
doctor-broken = { $n ->
    [one] Há 1 problema para resolver.
   *[other] Há { $n } problemas para resolver.
}
doctor-sent-nothing = O diagnóstico não cria nada nem movimenta dinheiro.

doctor-group-terminal = Terminal
doctor-group-configuration = Configuração
doctor-group-contract = Formato do serviço
doctor-group-vault = Credenciais
doctor-group-journals = Registros
doctor-group-network = Rede
doctor-group-program = Programa

doctor-terminal-size = tamanho
    .size = { $columns } colunas por { $rows } linhas
    .small = { $columns } colunas por { $rows } linhas é pouco
    .small-next = Aumente a janela ou diminua a letra: o balcão precisa de { $leastColumns } por { $leastRows }.
    .none = não verificado: a saída não é um terminal
    .none-next = Rode o comando direto no terminal em que você usa o balcão.

doctor-terminal-kind = tipo
    .named = { $term }
    .unnamed = sem nome (TERM)
    .dumb = dumb
    .dumb-next = Este terminal só escreve linha a linha. Abra o balcão em outro, ou mude TERM para o nome certo.
    .tmux = dentro do tmux
    .ssh = por SSH

doctor-terminal-colours = cores
    .many = 256 ou mais
    .none = nenhuma, por NO_COLOR
    .few = as 16 do terminal
    .few-next = Se o seu terminal tem mais cores, mude COLORTERM para truecolor.

doctor-terminal-letters = letras
    .all = todas
    .choice = só letras simples, pela sua configuração
    .console = só letras simples: o console do Linux não tem os outros sinais
    .console-next = Para ver tudo, abra o balcão em um terminal gráfico ou por SSH.
    .locale = só letras simples: a localidade { $locale } não é UTF-8
    .locale-next = Acentos podem aparecer errados. Mude LC_ALL ou LANG para uma localidade em UTF-8, como pt_BR.UTF-8.

doctor-terminal-time-zone = fuso horário
    .unread = TZ ({ $value }) não indica um fuso que possa ser lido; os horários aparecem em UTC
    .unread-next = Tire a variável TZ ou use um nome como America/Sao_Paulo.

doctor-terminal-clipboard = copiar
    .program = pelo programa { $way }
    .terminal = por uma sequência do terminal (OSC 52), que ele pode não aceitar
    .missing-next = Se copiar não funcionar, instale { $missing }.

doctor-configuration-directory = pasta
doctor-configuration-file = arquivo
doctor-configuration-keys = teclas
doctor-configuration-theme = tema
doctor-configuration-contract = formato do serviço
doctor-configuration-ca-file = certificados
doctor-configuration-state = pasta dos dados
doctor-configuration-vaults = último login
doctor-configuration-log = log
doctor-configuration-log-level = nível do log
    .off = off: nada é gravado
    .error = error: só falhas
    .info = info: falhas, inícios e solicitações
    .debug = debug: tudo
doctor-place =
    .own = { $path }
    .absent = { $path } (ainda não há)
    .missing = { $path } não existe
    .missing-next = Ponha o arquivo nesse lugar, ou tire o nome dele da configuração.
    .unseen = não foi possível ver { $path }
    .unseen-next = Confira se a sua conta pode ler esse caminho.
    .root = { $path } (do administrador)
    .other = { $path } é de outra pessoa
    .other-next = Quem é dono pode mudar o que está aí. Use uma cópia sua, ou passe para você com chown.
    .others = qualquer pessoa neste computador pode mudar { $path }
    .others-next = Tire essa permissão: chmod go-w { $path }
    .group = o grupo também pode mudar { $path }
    .group-next = Se há mais alguém nesse grupo, tire a permissão: chmod g-w { $path }

doctor-configuration-settings = leitura
    .profiles = { $n ->
        [0] sem erros; nenhum perfil
        [one] sem erros; 1 perfil
       *[other] sem erros; { $n } perfis
    }
    .directories = não foi possível saber onde ficam as pastas do balcão
    .files = um arquivo da configuração tem um erro
    .keys = as teclas do arquivo keys.toml têm um erro
    .appearance = o tema ou o idioma escolhido não existe
    .profile = o perfil escolhido não existe
    .address = o endereço do serviço tem um erro
    .contract = o formato do serviço deste perfil tem um erro
    .network = o certificado ou o proxy do perfil tem um erro
    .vault = o lugar das credenciais não pode ser usado assim
    .log = o nível do log não existe
    .fault-next = A mensagem do balcão diz onde. Corrija e rode o diagnóstico de novo.
    .told = Mensagem:

doctor-contract-lines = linhas
    .presets = formatos: { $presets }
    .files = { $n ->
        [one] 1 arquivo seu
       *[other] { $n } arquivos seus
    }
    .own = padrão do balcão
    .differing = { $n ->
        [one] { $n } linha diferente do padrão
       *[other] { $n } linhas diferentes do padrão
    }
    .for-run = { $n ->
        [one] { $n } linha diferente do padrão; o aceite vale até você sair
       *[other] { $n } linhas diferentes do padrão; o aceite vale até você sair
    }
    .accepted = { $n ->
        [one] { $n } linha diferente do padrão, aceita por você
       *[other] { $n } linhas diferentes do padrão, aceitas por você
    }
    .sandbox = { $n ->
        [one] { $n } linha diferente do padrão; no sandbox não é preciso aceitar
       *[other] { $n } linhas diferentes do padrão; no sandbox não é preciso aceitar
    }
    .pending = { $n ->
        [one] { $n } linha ainda não foi aceita: nada é enviado
       *[other] { $n } linhas ainda não foram aceitas: nada é enviado
    }
    .pending-next = O balcão mostra essas linhas e pergunta.
    .each-time-next = Nenhum chaveiro guarda o aceite: ele vale até você sair, e o balcão pergunta de novo a cada início. Para ele não perguntar mais, abra com --vault keyring, keyutils ou helper.

doctor-vault-kind = lugar
    .flag = escolhido por --vault
    .profile = escolhido no perfil
    .last-login = o do último login
    .default = o padrão, que ninguém escolheu
    .demo = a demonstração não guarda nada
    .stores = funciona
    .reads = responde
    .kind = { $name ->
        [keyring] chaveiro do sistema
        [keyutils] chaveiro do kernel
        [helper] comando do perfil
        [env] variáveis de ambiente
        [memory] só na memória, até sair
       *[other] { $name }
    }

doctor-vault-api-token = token da API
    .good = pronto para usar
    .until = vale até { $expires }
    .absent = não há
    .absent-next = Entre no balcão com este perfil.
    .expired = expirou: { $expires }
    .expired-next = Entre de novo no balcão.
    .unknown = não foi possível saber
    .unknown-next = Resolva primeiro o lugar das credenciais, acima.

doctor-vault-jwt = JWT dos links
    .good = { doctor-vault-api-token.good }
    .until = { doctor-vault-api-token.until }
    .absent = { doctor-vault-api-token.absent }
    .absent-next = Cole o JWT em Conta, ou entre de novo se o login dá um.
    .expired = { doctor-vault-api-token.expired }
    .expired-next = Cole um JWT novo na conta, ou entre de novo se o login dá um.
    .unknown = { doctor-vault-api-token.unknown }
    .unknown-next = { doctor-vault-api-token.unknown-next }

doctor-journals-withdrawals = saques
    .none = ainda não há nenhum
    .whole = { $n ->
        [one] íntegro; 1 saque
       *[other] íntegro; { $n } saques
    }
    .open = { $n ->
        [one] 1 em aberto
       *[other] { $n } em aberto
    }
    .open-next = O painel Saques do balcão mostra o que você pode fazer com segurança.
    .schema = versão { $schema }
    .copy = a última gravação foi interrompida
    .copy-next = O balcão desfaz essa gravação quando abrir; nada se perde.
    .unmarked = não há onde anotar que este é o registro em uso, nem na configuração nem em um chaveiro: uma cópia antiga, posta de volta, não seria notada
    .unmarked-next = Dê ao seu usuário permissão de gravar na pasta de configuração, ou use um chaveiro. Se já houver saques, rode depois “balcao journal make-live”.
    .late = não foi lido a tempo
    .late-next = Rode balcao journal verify, que espera até o fim.

doctor-journals-history = links e cobranças
    .none = ainda não há nenhum
    .whole = íntegro; { $links }, { $charges }
    .late = { doctor-journals-withdrawals.late }
    .aside = { doctor-journals-requests.aside }
    .aside-next = { doctor-journals-requests.aside-next }

doctor-journals-copies = cópias
    .kept = { $copies }, de antes de uma atualização
    .kept-next = Se você não for voltar à versão anterior do balcão, apague. “balcao data purge” também apaga.

doctor-journals-requests = solicitações
    .none = ainda não há nenhuma
    .whole = íntegro; { $requests }
    .damaged = o arquivo está danificado; ao usá-lo de novo, o balcão o põe à parte e começa outro
    .trouble = o arquivo não pode ser usado, e as novas não ficam guardadas
    .trouble-next = Tire requests/requests.db da pasta do registro de saques, e o balcão começa outro arquivo.
    .aside = arquivo danificado, guardado à parte: { $file }
    .aside-next = Se você não precisar dele, apague-o.
    .late = { doctor-journals-withdrawals.late }

doctor-network-address = endereço
    .named = { $origin }
    .machine = { $origin }, neste computador
    .none = nenhum
    .none-next = Diga onde está o serviço: base-url no perfil, ou --base-url. Para conhecer o balcão: balcao demo

doctor-network-name = nome
    .proxy = quem procura é o proxy do perfil
    .not-needed = não precisa ser procurado
    .found = encontrado; endereços IPv4: { $ipv4 }, IPv6: { $ipv6 }
    .unknown = não encontrado
    .unknown-next = Confira a internet deste computador e se o endereço do serviço está escrito certo.
    .late = a procura não terminou a tempo
    .late-next = Confira a internet e o servidor de DNS deste computador.

doctor-network-service = serviço
    .encrypted = está no ar, e o certificado dele vale (código { $status })
    .plain = está no ar (código { $status })
    .troubled = respondeu, mas com um erro dele (código { $status })
    .troubled-next = Tente de novo em alguns minutos. Se continuar assim, avise o serviço.
    .no-name = não respondeu: o nome dele não foi encontrado
    .no-name-next = { doctor-network-name.unknown-next }
    .connect = não foi possível conectar
    .connect-next = Confira a internet deste computador, se o endereço e a porta estão certos e se o serviço está no ar.
    .expired = o certificado dele expirou
    .expired-next = Confira a data deste computador. Se ela está certa, avise o serviço.
    .early = o certificado dele ainda não começou a valer
    .early-next = Confira a data deste computador. Se ela está certa, avise o serviço.
    .other-name = o certificado é de outro nome
    .other-name-next = Confira o endereço do serviço. Se ele está certo, outra máquina pode estar respondendo: não entre com a sua senha nesta rede.
    .issuer = ninguém em quem este computador confia responde pelo certificado
    .issuer-next = Em uma rede de empresa, peça o certificado dela e diga o arquivo em `ca-file`, no perfil. Em outra rede, não entre com a sua senha.
    .revoked = o certificado dele foi cancelado
    .revoked-next = Não entre com a sua senha e avise o serviço.
    .certificate = o certificado dele não prova quem ele é
    .certificate-next = Tente em outra rede. Se o serviço tem um certificado próprio, diga o arquivo dele em `ca-file`, no perfil. Se continuar assim, avise o serviço.
    .encryption = não foi possível combinar a criptografia
    .encryption-next = Confira se o endereço e a porta são mesmo de um serviço com https.
    .own-certificates = os certificados deste computador não podem ser lidos
    .own-certificates-next = Instale os certificados do sistema (ca-certificates), ou diga o do serviço em `ca-file`, no perfil.
    .late = não respondeu a tempo
    .late-next = Confira a internet deste computador e tente de novo em alguns minutos.
    .cut = a conexão terminou antes da resposta
    .cut-next = Tente de novo. Se continuar assim, confira a rede ou avise o serviço.

doctor-network-variables = certificados
    .ignored = sem efeito aqui: { $ignored }
    .ignored-next = Para confiar em mais um certificado, diga o arquivo dele em `ca-file`, no perfil.

doctor-network-clock = relógio
    .same = a diferença para o serviço é de { $seconds } s
    .ahead = está { $span } adiantado em relação ao serviço
    .behind = está { $span } atrasado em relação ao serviço
    .wrong-next = Acerte a hora deste computador: ela decide até quando um saque pode ser reenviado.
    .unknown = o serviço não informou a hora
    .unknown-next = Confira você mesmo se a hora deste computador está certa.
    .seconds = { $n } s
    .minutes = { $n } min
    .hours = { $n } h
    .days = { $n } dias

doctor-program-versions = versões
    .what = balcão { $balcao }, { $os } { $arch }, SQLite { $sqlite }; registro de saques { $moneySchema }, histórico { $historySchema }
