# balcao team
help-team = O registro que os operadores de uma loja dividem, num banco de dados PostgreSQL
    .database = O endereço do banco de dados com o seu usuário, sem a senha: postgres://ana@db.loja.example/loja
    .ca = O certificado (PEM) de quem emitiu o do servidor; o arquivo precisa estar na pasta de configuração
    .password_stdin = Lê a senha do banco de dados da entrada padrão, até o fim da linha
    .json = Um objeto JSON
help-team-init = Cria o registro da equipe num banco de dados vazio; quem administra o banco roda isto uma vez
    .long = Cria o registro da equipe num banco de dados vazio; quem administra o banco roda isto uma vez

        Os usuários dos operadores precisam existir no banco de dados. Rodar de novo só acrescenta operadores. A senha é pedida sem aparecer, ou vem de --password-stdin ou de BALCAO_TEAM_PASSWORD.
    .operator = Um usuário do banco de dados que pode ver e registrar saques; pode repetir
    .purger = Um usuário que pode, além disso, apagar dados pessoais antigos; pode repetir
    .approvals = 1: outra pessoa precisa aprovar cada saque antes do envio; 0: não precisa
    .print = Não conecta: escreve o SQL, para quem administra o banco ler e rodar
help-team-join = Põe o perfil na equipe: saques, links e cobranças passam a ser registrados no banco de dados dela
    .long = Põe o perfil na equipe: saques, links e cobranças passam a ser registrados no banco de dados dela

        Confere o banco de dados, copia os eventos para este computador, guarda a senha onde o perfil guarda credenciais e escreve a equipe no config.toml. Se parar no meio, o perfil fica como estava e o mesmo comando continua. Se o perfil já está na equipe, confere, guarda a senha e copia o que falta.
    .name = O nome com que os outros veem você; sem ele, o usuário do banco de dados
help-team-import = Leva o registro de saques deste computador para uma equipe vazia, e põe o perfil nela
    .long = Leva o registro de saques deste computador para uma equipe vazia, e põe o perfil nela

        Os eventos vão como estão, e também os links, as cobranças e os apelidos. A pasta do registro passa a ser a cópia da equipe; as solicitações ficam só neste computador. Se parar no meio, o mesmo comando continua. Os outros perfis deste computador começam um registro novo. O comando explica o que isso significa e pede que você digite o nome da pasta.
    .name = O nome com que os outros veem você; sem ele, o usuário do banco de dados
help-team-check = Confere o banco de dados da equipe e a cópia neste computador
    .long = Confere o banco de dados da equipe e a cópia neste computador

        Diz a versão do servidor, o tempo de resposta, se a conexão é criptografada, a diferença entre os relógios, as permissões que faltam e o que pode perder eventos. Termina com 0 se dá para usar, também quando há avisos, e com 1 se não dá.
help-team-leave = Tira o perfil da equipe; a cópia dos saques fica neste computador
    .long = Tira o perfil da equipe; a cópia dos saques fica neste computador

        Apaga a senha e tira a equipe do config.toml. Não faz nada enquanto um saque deste computador espera resultado. Peça a quem administra o banco de dados que retire a permissão do seu usuário.
help-value-role = USUÁRIO

complaint-team-url = --database: { $why } Escreva como postgres://ana@db.loja.example/loja, sem a senha.
complaint-team-ca = { $file }: o certificado precisa estar na pasta de configuração. Copie o arquivo para { $folder } e passe em --ca só o nome dele.
team-url-not-one = isto não é um endereço.
team-url-scheme = o endereço começa com postgres://
team-url-password = a senha não vai no endereço: ela é pedida e guardada à parte.
team-url-user = falta o usuário.
team-url-host = falta o servidor.
team-url-database = falta o nome do banco de dados.
team-url-parameter = o balcão não conhece parâmetros neste endereço.

team-none = O perfil { $profile } não está em nenhuma equipe. Para entrar numa: balcao team join
team-other = O perfil { $profile } está em outra equipe. Saia dela primeiro: balcao team leave
team-wants-address = Uma equipe precisa de um perfil com o endereço do serviço: escreva base-url em [profiles.{ $profile }] no config.toml.
team-wants-database = Qual é o banco de dados da equipe? Diga com --database postgres://ana@db.loja.example/loja, sem a senha.
team-password = Senha de { $role } no banco de dados (não aparece enquanto você digita):
team-password-terminal = Aqui não há terminal para perguntar a senha do banco de dados. Use --password-stdin, ou a variável BALCAO_TEAM_PASSWORD.
team-password-empty = A senha do banco de dados está em branco.
team-password-none = A senha do banco de dados não está guardada aqui. Guarde de novo com balcao team join, ou passe em BALCAO_TEAM_PASSWORD.
team-password-stored = A senha do banco de dados { $place }.
team-password-environment = A senha veio do ambiente (BALCAO_TEAM_PASSWORD) e não foi guardada: o balcão precisa da variável em cada início.
team-password-forgotten = Este cofre só guarda na memória: a senha se perdeu ao fim deste comando. Sem ela, o balcão mostra os saques, mas não faz nenhum. Passe a senha em BALCAO_TEAM_PASSWORD, ou escolha outro cofre com --vault.
team-withdrawals = { $n ->
    [0] nenhum saque
    [one] { $n } saque
   *[other] { $n } saques
}

team-offline-unreachable = Não foi possível conectar ao banco de dados da equipe. Confira o endereço e a rede.
team-offline-timeout = O banco de dados da equipe não respondeu a tempo. Confira a rede e tente de novo.
team-offline-lost = A conexão com o banco de dados da equipe caiu. Tente de novo.
team-offline-tls = Não foi possível confirmar a identidade do banco de dados, ou ele não criptografa a conexão. A senha não foi enviada. Se o certificado dele é próprio, passe o arquivo em --ca.
team-offline-plain = O servidor deste computador pede a própria senha, sem criptografia. Ela não foi enviada: outro programa pode estar no lugar do servidor. Quem administra o banco usa scram-sha-256 em pg_hba.conf.
team-offline-no-password = Este computador não tem a senha do banco de dados da equipe. balcao team join pede e guarda a senha.
team-offline-password = O banco de dados recusou o usuário ou a senha. Confira os dois.
team-offline-denied = O banco de dados não deixa este usuário entrar. Mostre isto a quem administra o banco.
team-offline-database = O banco de dados com este nome não existe. Confira o fim do endereço.
team-offline-unavailable = O servidor do banco de dados está ocupado, iniciando ou desligando. Tente de novo em um minuto.
team-offline-empty = Este banco de dados não tem o registro de uma equipe. Quem administra o banco o cria com balcao team init.
team-offline-other = Este banco de dados é de outra equipe. Confira o endereço.
team-offline-format = O registro da equipe precisa de uma versão mais nova do balcão. Atualize o balcão neste computador.
team-offline-standby = Este servidor é uma réplica, que só pode ser lida. Use o endereço do servidor principal.
team-offline-encoding = O banco de dados não guarda textos em UTF-8. Quem administra o banco precisa criar outro, com ENCODING 'UTF8'.
team-offline-clock = Os relógios deste computador e do banco de dados diferem em mais de um minuto. Acerte o que está errado.
team-offline-pooler = Entre este computador e o servidor há um pooler que não repassa avisos, talvez em modo de transação. Use o endereço do próprio servidor, ou um pooler em modo de sessão.
team-offline-refused = O banco de dados recusou o pedido. Mostre isto a quem administra o banco.

team-mark = [aviso]
    .refused = [não dá]
team-finding-right = Falta a permissão { $name }.
    .next = Quem administra o banco roda de novo balcao team init com --operator e este usuário.
team-finding-superuser = Este usuário é superusuário: pode mudar tudo, e nada do que ele registra fica provado.
    .next = Use um usuário comum para cada operador.
team-finding-owner = Este usuário é dono das tabelas do registro e pode mudá-las.
    .next = Use um usuário comum para cada operador, e outro só para administrar.
team-finding-change = Este usuário pode mudar eventos já registrados, ou quem os registrou.
    .next = Retire dele as permissões além das que balcao team init dá.
team-finding-encoding = O banco de dados guarda textos como { $name }, e não como UTF-8.
    .next = Quem administra o banco precisa criar outro, com ENCODING 'UTF8'.
team-finding-clock = Os relógios deste computador e do banco de dados diferem em mais de um minuto.
    .next = Acerte o relógio que está errado.
team-finding-pooler = Um pooler não repassa avisos entre os computadores, talvez por estar em modo de transação.
    .next = Use o endereço do próprio servidor, ou um pooler em modo de sessão.
team-finding-format = O registro da equipe precisa de uma versão mais nova do balcão.
    .next = Atualize o balcão neste computador.
team-finding-old = A versão do servidor é antiga demais para o balcão.
    .next = Atualize o servidor para PostgreSQL 13 ou mais novo.
team-finding-fsync = fsync está desligado: uma queda de energia no servidor pode perder ou estragar tudo.
    .next = Ligue fsync no servidor.
team-finding-pages = full_page_writes está desligado: uma queda de energia no servidor pode estragar tudo.
    .next = Ligue full_page_writes no servidor.
team-finding-commit = synchronous_commit está em { $name } para este usuário; o balcão liga nas próprias conexões.
    .next = Deixe synchronous_commit em on também no servidor.
team-finding-alone = O servidor não tem réplica: se o disco dele se perder, o registro da equipe se perde.
    .next = Faça cópias de segurança, ou configure uma réplica síncrona.
team-finding-asynchronous = As réplicas não são síncronas: se uma tomar o lugar do servidor, os últimos eventos podem se perder.
    .next = Configure synchronous_standby_names no servidor.
team-finding-waiting = O servidor espera uma réplica síncrona, e nenhuma está conectada: nada pode ser registrado.
    .next = Religue a réplica.
team-finding-hidden = Este usuário não pode ver se as réplicas são síncronas.
    .next = Para ver, dê a ele pg_read_all_stats; o balcão não precisa disso.
team-finding-unencrypted = A conexão não é criptografada; isso só é aceito porque o servidor é este computador.
    .next = Nada a fazer enquanto o servidor for este computador.

team-init-done = O registro da equipe foi criado. Equipe: { $team }
team-init-members = O registro da equipe já existia; só os operadores foram acrescentados. Equipe: { $team }
team-init-join = Agora cada operador, no próprio computador:
team-init-nobody = Nenhum operador foi acrescentado. Rode de novo com --operator e o usuário de cada um.
team-init-lost = Se um computador se perder, retire o usuário dele no banco de dados:
      {"  "}REVOKE "{ $group }" FROM "usuário"; ALTER ROLE "usuário" NOLOGIN;
    O que esse computador ainda não tinha registrado nunca vale.
team-init-long = Um nome é longo demais para o banco de dados. Use nomes mais curtos.
team-init-name = O nome de um usuário ou do banco de dados está em branco ou tem um caractere que não pode ter.
team-init-exists = Já existe um usuário com o nome do grupo que o balcão cria, talvez de um banco apagado. Quem está nele teria acesso. Apague o grupo, ou use um banco com outro nome. Nada mudou.
team-init-two = A aprovação precisa de ao menos dois operadores, cada um com o próprio usuário no banco de dados. Nada mudou.
team-init-missing = Um usuário não existe. Crie o usuário no banco de dados e rode de novo. Nada mudou.
team-init-denied = Este usuário não pode criar o registro. Use o administrador do banco, ou dê a ele o SQL que --print escreve. Nada mudou.

team-reading = Copiando os eventos da equipe. Ctrl-C para; o mesmo comando continua depois.
team-progress = { $n ->
    [one] { $n } evento copiado
   *[other] { $n } eventos copiados
}
team-history-progress = { $n ->
    [one] { $n } mudança de links e cobranças copiada
   *[other] { $n } mudanças de links e cobranças copiadas
}
team-join-done = O perfil { $profile } está na equipe como { $operator }. O registro da equipe tem { $count }.
team-join-open = { $n ->
    [one] Este computador tem { $n } saque em aberto no próprio registro, que a equipe não veria: ela poderia pagar o mesmo de novo. Decida-o antes, ou leve o registro para uma equipe vazia com balcao team import. Nada mudou.
   *[other] Este computador tem { $n } saques em aberto no próprio registro, que a equipe não veria: ela poderia pagar o mesmo de novo. Decida-os antes, ou leve o registro para uma equipe vazia com balcao team import. Nada mudou.
}
team-join-own = { $n ->
    [one] Este computador tem { $n } saque no próprio registro. A equipe não o verá; sem a equipe, ele continua visível aqui. Para levá-lo junto, só para uma equipe vazia: balcao team import
   *[other] Este computador tem { $n } saques no próprio registro. A equipe não os verá; sem a equipe, eles continuam visíveis aqui. Para levá-los junto, só para uma equipe vazia: balcao team import
}

team-import-means = O registro de saques em { $dir }, com { $count }, vai inteiro para a equipe.
    Se continuar, todos os operadores da equipe veem os saques dele, com as chaves Pix, e os links, as cobranças e os apelidos da pasta. Ela passa a ser a cópia da equipe neste computador.
    Os outros perfis deste computador começam um registro novo, que não conhece estes saques. Não dá para desfazer.
team-import-goes-on = { $n ->
    [one] A equipe já tem o primeiro evento, de uma vez que parou no meio.
   *[other] A equipe já tem os primeiros { $n } eventos, de uma vez que parou no meio.
}
team-import-progress = { $n ->
    [one] { $n } evento enviado à equipe
   *[other] { $n } eventos enviados à equipe
}
team-import-member = Este perfil já está na equipe. Um registro só pode ser levado antes de entrar.
team-import-approvals = A equipe exige aprovação, e os envios do registro deste computador não têm uma. Quem administra o banco desliga a regra (balcao team init --approvals 0) até o registro estar na equipe.
team-import-nothing = Não há saques no registro deste computador para levar. Para entrar na equipe: balcao team join
team-import-occupied = A equipe já tem outros saques, e dois registros não podem ser juntados. Para entrar sem levar o deste computador: balcao team join
team-import-aside = Uma cópia anterior desta equipe ficou em { $to }.

team-approvals = Aprovação
    .on = Cada saque precisa da aprovação de outra pessoa da equipe antes do envio.
    .off = Os saques não precisam de aprovação.
    .needed = de outra pessoa, em cada saque
    .unneeded = não precisa

team-check-of = Perfil { $profile }, operador { $operator }, { $database }
team-check-server = Servidor
team-check-id = Equipe
team-check-time = Tempo de resposta
team-check-clock = Relógio do servidor
team-check-tls = Conexão
    .on = criptografada, com o certificado conferido
    .off = sem criptografia, neste computador
team-check-fine = Tudo em ordem.
team-check-warned = Dá para usar. Leia os avisos.
team-check-refused = Assim não dá para usar: resolva o que está marcado e tente de novo.
team-mirror = Cópia neste computador: até o evento { $n }.
    .same = Cópia neste computador: até o evento { $n }, igual à da equipe.
    .behind = Cópia neste computador: até o evento { $n }; a equipe está no evento { $last }. O balcão copia o resto quando abrir.
    .short = Cópia neste computador: até o evento { $n }; o banco de dados perdeu eventos e só vai até { $last }. O balcão põe de volta o que falta quando abrir.
    .forked = Cópia neste computador: até o evento { $n }, e o banco de dados tem outro no lugar. Os saques estão bloqueados: mostre isto a quem administra o banco.
team-ends = { $n ->
    [one] { $n } resultado espera a conexão para ser registrado; o balcão registra quando abrir.
   *[other] { $n } resultados esperam a conexão para serem registrados; o balcão registra quando abrir.
}

team-leave-means = O perfil { $profile } vai sair da equipe.
    Se continuar, este computador deixa de ver o que a equipe faz: nada aqui impede de sacar o que ela já sacou. A cópia dos saques, links e cobranças fica aqui; o que este computador já mandou fica com a equipe.
team-leave-unsent = { $n ->
    [one] { $n } mudança de links e cobranças ainda não foi para a equipe, e fica só aqui. Para mandar antes, abra o balcão com a conexão funcionando.
   *[other] { $n } mudanças de links e cobranças ainda não foram para a equipe, e ficam só aqui. Para mandar antes, abra o balcão com a conexão funcionando.
}
team-leave-ends = { $n ->
    [one] { $n } resultado ainda não está no banco de dados da equipe. Abra o balcão com a conexão funcionando, e saia depois.
   *[other] { $n } resultados ainda não estão no banco de dados da equipe. Abra o balcão com a conexão funcionando, e saia depois.
}
team-leave-open = { $n ->
    [one] { $n } saque enviado deste computador está sem resultado. Confira na sua conta e decida no balcão (tecla 3), e saia depois.
   *[other] { $n } saques enviados deste computador estão sem resultado. Confira na sua conta e decida no balcão (tecla 3), e saia depois.
}
team-leave-windows = Outra janela está usando este registro de saques. Feche as janelas do balcão deste perfil e rode de novo. Nada mudou.
team-leave-done = O perfil { $profile } saiu da equipe, e a senha foi apagada daqui.
    A cópia fica em { $dir }, com { $count }. Para conferir: balcao journal verify --journal e a pasta
    Peça a quem administra o banco de dados que retire a permissão do usuário { $role }.

team-purge-member = Esta pasta é a cópia do registro de uma equipe em que o perfil não está. Use o perfil da equipe, com um usuário que pode apagar dados.
team-purge-offline = Para apagar dados de uma equipe é preciso conexão com o banco de dados dela, porque eles também estão lá. Nada foi apagado.
team-purge-refused = Este usuário não pode apagar dados da equipe. Quem administra o banco dá a permissão com balcao team init e --purger. Nada foi apagado.
team-mirror-only = A pasta { $dir } é a cópia do registro de uma equipe, e não o registro de um computador só. Se a cópia está danificada, mova a pasta para outro lugar: balcao team join copia tudo de novo.
