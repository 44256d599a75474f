# Login, JWT, domínios, requisições, conta, perguntas e avisos.

login-title = Entrar
login-submit = Entrar
login-wait = Entrando
login-this-machine = { $address } (este computador)
login-kept = Token da API
login-origin-before = Endereço antes
login-origin-now = Endereço agora
login-origin-differs = O endereço do serviço mudou. Confira antes de digitar a senha.
login-checking = Consultando o cofre e os registros antes de enviar.
login-memory = Ao entrar, o balcão pergunta se pode guardar só na memória.
secret-unused = { $name } está definida, mas não é usada agora. Para usá-la, comece com --vault env.
look-around = Só quer olhar? { $key } entra sem login.
login-demo-enter = { $key } entra
login-demo-story = { $key } entra e conta a história, passo a passo
login-demo = Na demonstração, ao entrar, você já recebe um JWT novo para os links.
login-shared = Compartilhado em { $origin }: os celulares na mesma rede abrem e pagam os links, no sandbox.
login-shared-here = Compartilhado em { $origin }: só este computador chega a este endereço; os celulares, não.

keeper-asking = consultando o chaveiro
keeper-keyring = fica no chaveiro deste computador
keeper-keyutils = fica no chaveiro do Linux até você sair do computador
keeper-helper = fica com o comando que você configurou
keeper-env = vem do ambiente (BALCAO_TOKEN); nada é guardado
keeper-memory = fica só na memória, até você sair do balcão
keeper-absent = não será guardado: este computador não tem chaveiro
keeper-locked = não será guardado: o chaveiro está trancado
keeper-hangs = não será guardado: o chaveiro não respondeu
keeper-denied = não será guardado: o kernel ou o contêiner não permite
keeper-no-helper = não será guardado: falta o comando configurado
keeper-helper-hangs = não será guardado: o comando não respondeu
keeper-helper-failed = não será guardado: o comando informou um erro
keeper-read-only = não será guardado: as credenciais vêm do ambiente
keeper-several = o chaveiro tem mais de um; ao entrar, fica um só
keeper-other = não será guardado: o chaveiro informou um erro

login-brings-jwt = Entre de novo para receber.
jwt-title = JWT dos links
jwt-why = Para criar links, o serviço pede um JWT (Authorization: Bearer <JWT>). A documentação não diz como obter esse JWT: pergunte ao serviço.
    .absent = A resposta do login não trouxe um JWT.
    .unread = Mas a resposta do login tem um valor que o balcão não lê e que pode ser ele: { $key } mostra.
    .found = O login deste serviço traz o JWT: volte e entre de novo ({ $key }).
jwt-field = JWT
jwt-submit = Salvar
jwt-wait = Salvando
jwt-next = Cole o JWT no campo acima; { $key } salva.
jwt-kept = O JWT { $where }.
    .asking = Consultando o chaveiro…

account-profile = Perfil
account-other-profiles = { $n ->
    [one] { $name } · mais um perfil ({ $key } troca)
   *[other] { $name } · mais { $n } perfis ({ $key } troca)
}
account-proxy = Proxy
account-service = Serviço
account-kind = Tipo
account-sandbox = sandbox: nenhum dinheiro de verdade
account-unproven = não é mais o sandbox: nada é enviado até você abrir o balcão de novo
account-this-machine = este computador: não comprovou ser o sandbox; o dinheiro pode ser de verdade
account-live = conta real: o dinheiro é de verdade
account-who = Conta
account-nobody = sem login
account-kept = Acesso
account-contract = Formato
account-contract-own = padrão do balcão
account-versions = Versões
    .what = balcão { $version }; registro de saques { $money }, histórico { $history }
account-config = Configuração
account-journal = Dados
account-contract-accepted = { $n ->
    [one] { $n } linha diferente do padrão, aceita por você
   *[other] { $n } linhas diferentes do padrão, aceitas por você
}
account-contract-sandbox = { $n ->
    [one] { $n } linha diferente do padrão; no sandbox não é preciso aceitar
   *[other] { $n } linhas diferentes do padrão; no sandbox não é preciso aceitar
}
account-contract-pending = { $n ->
    [one] { $n } linha ainda não foi aceita: nada é enviado
   *[other] { $n } linhas ainda não foram aceitas: nada é enviado
}
account-history = Histórico antigo
account-history-means = Estava danificado e ficou guardado ali. As listas de links e de cobranças começam de novo; isso não afeta os saques nem o dinheiro.
account-history-missing = Não estava na pasta quando o balcão abriu. As listas de links e cobranças recomeçaram; isso não afeta saques nem dinheiro. Se você tem uma cópia de history.db, feche o balcão e coloque-a lá.

credential-api-token = Token da API
    .for = para os saques
    .absent = não há: { $key } entra na conta
    .refused = o serviço não aceitou: { $key } entra na conta de novo
credential-jwt = JWT
    .for = para os links
    .absent = não há: { $key } cola o JWT
    .refused = o serviço não aceitou: { $key } cola um novo
credential-unknown = consultando o chaveiro
credential-held = guardado; não se sabe até quando vale
credential-until = guardado; vale até { $when }
credential-expired = expirou: { $when }
credential-here = pronto para usar; não se sabe até quando vale
credential-here-until = pronto para usar; vale até { $when }
credential-for-run = não foi guardado: vale só até você sair do balcão
credential-demo = colocado pela demonstração

domains-top = Onde os seus links abrem
domains-count = { $n ->
    [one] { $n } domínio
   *[other] { $n } domínios
}
domains-wait = Consultando domínios
domain-automatic = automático
    .what = o serviço escolhe um domínio ativo
domain-chosen = novos links
domain-usable = pode ser usado
domain-active = ativo
domain-pending = ainda não ativo
domain-pending-word = ainda não ativo: “{ $word }”
domain-default = padrão
domain-since = Assim desde
domain-listed = Consultado
domain-lacks = Falta terminar o DNS ou o SSL dele. Isso se faz na sua conta do serviço.
domains-pick = Escolha onde abrem os novos links. Os links já criados não mudam.
domains-not-asked = Os domínios ainda não foram consultados.
domains-paste-jwt = Para criar links e consultar os domínios, você precisa do JWT: { $key } cola um.
domains-log-in = Para criar links e consultar os domínios, entre na conta: tecla { $key }.
domains-none-found = Nenhum domínio com “{ $query }”.
domains-none = O serviço não listou nenhum domínio que possa ser usado agora.
domains-active-how = Um domínio fica ativo quando o DNS e o SSL dele ficam prontos. Sem um domínio ativo, o serviço recusa novos links.
domains-way-out = Uma cobrança direta não precisa de domínio (tecla { $key }).

exchanges-none = Nenhuma requisição ainda.
exchanges-what = Cada requisição ao serviço e a resposta dele aparecem aqui, inteiras, com os segredos e os dados pessoais mascarados.
exchanges-kept = As 2.000 mais novas ficam guardadas neste computador depois que você sair.
exchanges-not-kept = A lista dura até você sair.
exchanges-top = { $n ->
    [one] { $n } requisição, só até você sair
   *[other] { $n } requisições, só até você sair
}
exchanges-top-found = { $n ->
    [one] { $n } requisição encontrada
   *[other] { $n } requisições encontradas
}
exchanges-top-kept = { $n ->
    [one] { $n } requisição guardada, desde { $since }
   *[other] { $n } requisições guardadas, desde { $since }
}
exchanges-top-of = { $n ->
    [one] { $n } requisição daqui · { $key } mostra todas
   *[other] { $n } requisições daqui · { $key } mostra todas
}
exchanges-none-found = Nenhuma requisição com “{ $query }”.
exchanges-none-of = Nenhuma requisição guardada daqui. { $key } mostra todas.
exchanges-unread = As requisições guardadas não puderam ser lidas. O comando “balcao doctor” diz por quê.
exchange-too-large = Grande demais para aparecer ao lado da lista. { $key } mostra a requisição inteira.
exchange-lost = Esta requisição já foi apagada, ou não pôde ser lida.
exchange-request-id = Código da requisição no serviço: { $id }
exchange-clock = relógio { $difference }
exchange-clock-ahead = O relógio do serviço está { $difference } à frente do relógio deste computador.
exchange-clock-behind = O relógio do serviço está { $difference } atrás do relógio deste computador.
exchange-reply = Resposta { $status }, em { $took }
exchange-after = Depois de { $took }:
exchange-no-answer = sem resposta
exchange-not-sent = não enviada
exchange-cancelled = cancelada
exchange-failed = falhou
exchange-sent = enviados { $bytes }
exchange-received = recebidos { $bytes }
exchange-connecting = conexão { $connecting }, espera { $waiting }
compare-title = Comparação de duas requisições
compare-count = { $n ->
    [0] nenhuma diferença
    [one] 1 diferença
   *[other] { $n } diferenças
}
compare-request = Requisição
compare-reply = Resposta
compare-address = endereço
compare-result = resultado
compare-took = tempo total
compare-connecting = conexão
compare-waiting = espera
compare-clock = diferença de relógio
compare-size = tamanho
compare-end = fim do corpo
compare-failure = motivo
compare-body = corpo
compare-text = texto
compare-differs = diferente
exchange-no-body = (sem corpo)
request-file = requisicao
said-request-saved = ✓ Salva, sem segredos e dados pessoais: { $name }
said-request-folder = em { $folder }
said-request-not-saved = A requisição não foi salva.
curl-warning = Este comando não passa pelo registro de saques: rodado à mão, pode pagar duas vezes. A chave e o destino são só marcadores.
curl-key = CODIGO-DO-SAQUE
curl-destination = DESTINO
size-bytes = { $n ->
    [one] { $figure } byte
   *[other] { $figure } bytes
}
body-part-of = { $part } de { $whole } bytes
body-cut-limit = Resposta cortada pelo limite: { $part }
body-cut-clock = Resposta cortada pelo tempo de espera: { $part }
body-cut-connection = Resposta cortada pela queda da conexão: { $part }
body-encoded = O corpo veio compactado, e o balcão não o lê.
exchange-tree-goes-on = … só { $rows } linhas são mostradas, com as fechadas; o corpo tem { $kib } KiB.
exchange-cut-text = { $n ->
    [one] … mais 1 caractere
   *[other] … mais { $figure } caracteres
}
exchange-cut-inside = { $n ->
    [one] … mais 1, que não é mostrado
   *[other] … mais { $figure }, que não são mostrados
}
exchange-reading = lendo uma resposta longa…
exchange-text-none = não encontrado no que é mostrado
exchange-body-goes-on = … aqui acaba o que é mostrado; o corpo inteiro tem { $kib } KiB.
operation-login = Login
operation-domains = Domínios
operation-link = Criar link
operation-charge = Cobrança direta
operation-fee = Taxa do saque
operation-withdrawal = Saque

ask-drop-form = O que você digitou aqui será perdido.
    .title = Sair do formulário?
    .back = Continuar editando
    .do = Descartar e sair
ask-drop-and-leave = O que você digitou será perdido. Ctrl-C de novo também sai.
    .title = Sair do balcão?
    .back = Continuar editando
    .do = Descartar e sair
entry-over = { $what } expirado
entry-ends = { $what } expira em { $minutes } min
entry-renewed-jwt = Agora há um JWT novo, que o serviço só confere no uso: { $key } tenta de novo.
entry-renewed-token = Você entrou de novo: { $key } tenta de novo.
entry-over-since-jwt = Expirou { $when }, pelo relógio deste computador. Cole outro antes de digitar; se o relógio estiver errado, volte e continue.
entry-over-since-token = Expirou { $when }, pelo relógio deste computador. Entre de novo antes de digitar: sem isso nenhum saque é enviado.
first-title = Conectar ao seu serviço
first-go-on = Continuar
first-name = Perfil
first-name-what = Um perfil é um serviço com as suas credenciais. Dê um nome a ele, que aparece no alto da tela. Enter continua e Esc volta; você pode sair a qualquer momento, e as respostas ficam guardadas.
first-demo = Quer só experimentar antes? Saia com Ctrl-C e rode: balcao demo
first-address = Endereço
first-address-what = O endereço da API do seu serviço de pagamentos, como https://api.example.com. Para este computador, http também vale.
first-completed = Endereço completo: { $address }
first-reaching = O endereço está sendo consultado. Você já pode continuar.
first-reached-encrypted = O endereço respondeu em { $millis } ms. A conexão é criptografada, e o certificado vale para este endereço.
first-reached-here = Este computador respondeu em { $millis } ms, sem criptografia; tudo bem: nada sai deste computador.
first-next-dns = Confira se o endereço está digitado certo e se há conexão com a internet.
first-next-tls = Confira o endereço e o relógio deste computador. Se o serviço tem um certificado próprio, diga qual em ca-file, no perfil.
first-next-other = Confira o endereço e a conexão com a internet.
first-unreached = Você pode continuar assim mesmo e corrigir depois em config.toml.
first-contract = Formato
first-contract-what = Como o serviço escreve solicitações e respostas. Na dúvida, fique com o formato documentado.
first-contract-later = Dá para mudar depois, e cada linha que mexe com dinheiro é mostrada antes do primeiro saque.
first-documented = documentado
first-preset-documented = O formato da documentação pública.
first-preset-snake-case = Nomes com sublinhado: net_amount, fee_amount, access_token.
first-preset-sibling = Login com id e segredo de cliente; valores como "97,95".
first-preset-enveloped = Cada resposta vem dentro de success e data; valores como texto.
first-preset-key-headers = Chaves em cabeçalhos próprios; saques como formulário.
first-preset-no-content = Responde 204, sem corpo, a um saque aceito.
first-preset-centavos = Conta em centavos: 1010 são R$ 10,10.
first-vault = Credenciais
first-vault-what = Onde o seu login fica guardado. Só aparecem aqui os lugares que funcionaram agora neste computador.
first-vault-trying = O chaveiro está sendo testado, por no máximo 3 s.
first-vault-keyring = chaveiro do computador
    .means = O chaveiro do seu usuário guarda o login até você sair da conta.
first-vault-keyutils = chaveiro do Linux
    .means = O kernel guarda o login até você encerrar a sessão deste computador.
first-vault-memory = só na memória
    .means = Nada é guardado: a cada início do balcão você entra de novo.
first-write = Salvar e entrar
first-write-what = O perfil será salvo assim. O que já existe no arquivo fica como está.
first-not-written = O perfil não foi salvo:
ask-switch =
    .title = Trocar de perfil?
    .back = Ficar neste perfil
    .do = Trocar de perfil
ask-switch-typed = O que você digitou será perdido.
ask-switch-credentials = O login deste perfil só está na memória e será esquecido: ao voltar, entre de novo.
ask-switch-records = Há links ou cobranças que não puderam ser gravados: eles somem da lista. No serviço, continuam.
profiles-title = Perfis
profiles-here = Este perfil
profiles-what = Cada perfil tem o seu serviço e as suas credenciais. O registro de saques é um só. Escolha outro para trocar.
profiles-no-address = sem endereço em config.toml
profiles-wrong = Este perfil não abre, e nada mudou:
ask-leave = Um saque está sendo enviado agora. Se você sair agora, o balcão espera a resposta e só então fecha.
    .title = Sair com um saque em andamento?
    .back = Ficar
    .do = Sair do balcão
ask-log-out = O token da API e o JWT serão apagados deste computador. O histórico e os saques em aberto ficam.
    .title = Sair da conta?
    .back = Ficar na conta
    .do = Sair da conta
ask-copy-odd = O endereço vai exatamente como está. Copie só se você o reconhece.
    .title = Copiar este endereço?
    .back = Não copiar
    .do = Copiar
ask-browse-odd = O endereço vai para o navegador exatamente como está. Abra só se você o reconhece.
    .title = Abrir este endereço?
    .back = Não abrir
    .do = Abrir
ask-share-odd = A mensagem leva o endereço exatamente como está ao WhatsApp. Abra só se você o reconhece.
    .title = Enviar este endereço pelo WhatsApp?
    .back = Não abrir
    .do = Abrir o WhatsApp
ask-qr-odd = O QR Code leva o endereço exatamente como está. Mostre só se você o reconhece.
    .title = Mostrar o QR Code?
    .back = Não mostrar
    .do = Mostrar
ask-copy-code = O código vai exatamente como está, com esse problema.
    .title = Copiar este código Pix?
    .back = Não copiar
    .do = Copiar mesmo assim
ask-show-code = O QR Code leva o código exatamente como está, com esse problema.
    .title = Mostrar o QR Code?
    .back = Não mostrar
    .do = Mostrar mesmo assim
ask-share-code = A mensagem leva o código exatamente como está, com esse problema.
    .title = Enviar este código pelo WhatsApp?
    .back = Não abrir
    .do = Abrir mesmo assim
ask-discard = Nenhum dinheiro saiu por ele, e esta solicitação não será mais enviada. Para sacar depois, faça um saque novo.
    .title = Descartar o saque?
    .back = Manter
    .do = Descartar
ask-found = Confirme só se você o viu na sua conta do serviço ou no banco de quem recebe. Ele não será enviado de novo.
    .title = O saque foi pago?
    .back = Ainda não sei
    .do = Foi pago
ask-found-either = Vale tanto o que você pediu ({ $sent }) quanto o que a resposta diz ({ $got }).
ask-put-away-link = Antes, veja na sua conta do serviço: se o link existir, quem tiver o endereço ainda pode pagar. Aqui ele sai da lista e das somas, e não volta.
    .title = Tirar este link da lista?
    .back = Manter
    .do = Tirar da lista
ask-put-away-charge = Antes, veja na sua conta do serviço: se a cobrança existir, ela ainda pode ser paga. Aqui ela sai da lista e das somas, e não volta.
    .title = Tirar esta cobrança da lista?
    .back = Manter
    .do = Tirar da lista
ask-put-away = Nada chegou ao serviço: isto não existe lá. O registro sai desta lista e não volta.
    .title = Tirar da lista?
    .back = Manter
    .do = Tirar da lista
ask-use-memory = Sem chaveiro, as credenciais ficam só na memória deste programa. Quando você sair, elas somem e será preciso entrar de novo.
    .title = Guardar só na memória?
    .back = Voltar
    .do = Só na memória
ask-withdrawal-of = Saque de { $amount }

odd-not-an-address = não dá para ler como endereço da web
odd-user-info = leva um nome de usuário ou uma senha dentro
odd-ip = aponta para um número, não para um domínio
odd-http = não é criptografado (http)
odd-not-web = não é um endereço da web: só https é esperado
odd-api-host = aponta para o endereço do próprio serviço
odd-shell = tem espaço ou sinais que um terminal interpreta: { $signs }
odd-inactive-host = está em um domínio seu que não está ativo: o comprador talvez não consiga abrir
odd-unknown-host = o domínio não é o escolhido nem está na sua lista

palette-nothing = Nada encontrado.
command-mask = Mascarar os dados pessoais na tela
command-unmask = Mostrar os dados pessoais na tela
command-buyers-view = Visão do comprador: a página do link
command-story = Roteiro: começar
command-story-next = Roteiro: seguir adiante
command-story-stop = Roteiro: parar
command-captions-off = Roteiro: esconder as legendas
command-captions-on = Roteiro: mostrar as legendas
command-no-faults = Sandbox: retirar as falhas
command-domains-down = Sandbox: desativar os domínios
command-domains-up = Sandbox: reativar os domínios
command-forward = Sandbox: adiantar o relógio 10 min
command-start-over = Sandbox: recomeçar do zero

said-copied-tmux = Copiado pelo tmux: { $what }.
said-copied-tmux-only = Copiado só no tmux: { $what }.
said-copied-terminal = Enviado à área de transferência do terminal: { $what }.
said-copied-advice = Se não chegou, selecione com Shift e o mouse.
said-link-copied-desktop = ✓ Link criado e copiado.
said-link-copied-tmux = ✓ Link criado e copiado pelo tmux.
said-link-copied-tmux-only = ✓ Link criado e copiado só no tmux.
said-link-copied-terminal = ✓ Link criado e enviado à área de transferência do terminal.
said-charge-made = ✓ Cobrança criada. { $key } copia o código Pix.
said-charge-made-odd = ✓ Cobrança criada: confira o código Pix antes de usar.
said-link-made = ✓ Link criado. { $key } copia o endereço.
said-link-made-odd = ✓ Link criado, não copiado: confira o endereço.
clip-address = endereço do link
    .copied = ✓ Endereço copiado.
clip-message = mensagem para o comprador
    .copied = ✓ Mensagem copiada.
clip-pix-code = código Pix
    .copied = ✓ Código Pix copiado.
clip-key = código do saque
    .copied = ✓ Código do saque copiado.
clip-receipt = comprovante
    .copied = ✓ Comprovante copiado.
clip-report = diagnóstico
    .copied = ✓ Diagnóstico copiado.
clip-request = requisição, sem segredos
    .copied = ✓ Requisição copiada, sem segredos.
clip-curl = comando curl, sem segredos e dados pessoais
    .copied = ✓ Comando curl copiado, sem segredos e dados pessoais.
clip-amount = valor do saque
    .copied = ✓ Valor do saque copiado.
clip-net = valor líquido
    .copied = ✓ Valor líquido copiado.
clip-said = o que o serviço respondeu
    .copied = ✓ Resposta do serviço copiada.
clip-when = data e hora do envio
    .copied = ✓ Data e hora do envio copiadas.
clip-destination = chave Pix de destino
    .copied = ✓ Chave Pix de destino copiada.
said-not-copied-clean = Não copiado: há caracteres invisíveis ou de controle, marcados na tela.
said-not-copied-masked = Não copiado: falta uma parte (…): o serviço a cortou, ou pôs ali uma credencial sua.
said-not-copied-unseen = Não copiado: longo demais para mostrar inteiro (mais de { $most } caracteres).
said-not-copied-long = Não copiado: é longo demais para o terminal.
said-not-copied-nothing = Não há o que copiar aqui.
said-marked = ✓ Marcado como pago por você.
said-unmarked = A marca de pago foi retirada.
said-settled = Saque de { $amount }: { $state }.
said-settled-elsewhere = Saque de { $amount }: { $state }. { $key } mostra.
said-nicknamed = ✓ Apelido salvo.
said-no-nickname = O destino não tem mais apelido.
said-not-marked = A marca não foi salva.
said-request-marked = Marcada. Na outra requisição, { $key } compara as duas.
said-object-gone = O que esta requisição criou ou moveu não está mais nas listas.
said-put-away = Saiu da lista.
said-link-found = ✓ Endereço salvo: o link está na lista.
said-charge-found = ✓ Código salvo: a cobrança está na lista.
said-link-ready = ✓ O link está pronto: veja na lista de links.
said-charge-ready = ✓ A cobrança está pronta: veja na lista de cobranças.
said-opened = Abrindo no navegador.
said-amount-replaced = O texto colado substituiu { $amount }.
said-not-opened = Não foi possível abrir o navegador. { $key } copia o endereço, { $message } a mensagem.
said-not-opened-not-web = Não é um endereço da web: o navegador não foi aberto.
said-logged-in = Você entrou na conta.
said-logged-in-for-run = Pronto, mas não deu para guardar o acesso: ele vale só até você sair.
said-logged-out = Você saiu da conta. As credenciais foram apagadas daqui.
said-consent-stored = Linhas aceitas. Agora dá para enviar.
said-jwt-kept = JWT salvo. O serviço só o confere quando ele for usado.
said-domain-automatic = Novos links: o serviço escolhe um domínio ativo.
said-domain-pending = { $host } ainda não está ativo: o serviço pode recusar links.
said-domain-named = Novos links abrem em { $host }.
said-domain-added-at-service = Conecte o domínio na sua conta do serviço; depois ele aparece aqui.
said-domain-not-kept = O domínio vale só até você sair: não foi possível salvar.
said-refreshed = Atualizado.
said-refreshed-list = Lista atualizada.
said-refreshed-keyring = O chaveiro foi consultado de novo.
said-taught = ✓ Aprendido e salvo no formato do serviço deste perfil.
said-taught-log-in = ✓ Aprendido. Entre de novo ({ $key }) para receber o JWT.
said-taught-for-run = Aprendido, só até sair: este perfil não tem arquivo.
said-unit-confirmed = ✓ Chegou o valor esperado.
said-not-taught = Não foi salvo.
said-not-taught-now = Há um saque em aberto. Ensine depois que ele terminar.
said-read-only = Só leitura: nada se cria nem se paga. Para isso, abra sem --read-only.
said-send-later = Ainda não: dá para enviar em { $left }.
said-look-for-run = Só até você sair: a demo não muda as suas configurações.
said-look-kept = Tema e idioma salvos para as próximas vezes.
said-look-not-kept = O tema e o idioma não foram salvos.
said-close-form-first = Feche antes o formulário aberto.
said-balance = O serviço não informa o saldo ao balcão: consulte-o na sua conta do serviço.
said-export = Para exportar, feche o balcão e digite balcao data export (ou balcao journal export: saques).
said-no-colours = As cores estão desligadas neste terminal (NO_COLOR).
said-not-here = { $key } ({ $action }) funciona em { $places }.
# Em detalhes, uma tecla que só funciona na lista.
said-not-here-list = { $key } ({ $action }) funciona na lista: { $back } volta a ela.
# A lista é esta, mas a linha não permite, ou não há linha.
said-not-here-row = { $key } ({ $action }) serve para { $help }.
said-not-here-details = { $key } ({ $action }) funciona nos detalhes: { $open } os abre.
said-not-here-form = { $key } ({ $action }) funciona em formulários.
said-story-in-demo = A história só existe na demonstração: balcao demo.
said-sandbox-paid = ✓ Um comprador pagou { $amount } (sandbox):
said-fault-armed = { $what } (falha ativada)
said-faults-gone = Demonstração: as falhas foram retiradas.
said-started-over = Tudo novo: o banco do sandbox e os saques e links da demonstração.
said-domains-down = Demonstração: todos os domínios estão inativos.
said-domains-up = Demonstração: os domínios voltaram.
said-forwarded = Demonstração: o relógio foi adiantado 10 min.
said-step-failed = Demonstração: não foi possível fazer um passo do roteiro.
said-not-granted = Demonstração: não é possível agora. Nada mudou.
said-history = O histórico falhou: { $cause }. Isso não afeta o dinheiro.
    .damaged = está danificado
    .missing = não está mais lá
    .elsewhere = { said-history.io }
    .unmarked = { said-history.io }
    .other-machine = { said-history.io }
    .older = { said-history.damaged }
    .other-version = outra versão do balcão o gravou
    .read-only = não dá para gravar nele
    .full = não há mais espaço
    .not-private = outros podem mexer na pasta dele
    .busy = outro programa o está usando
    .io = erro do disco
    .maybe-missing = { said-history.missing }
    .network = { said-history.io }
said-system = O sistema disse: “{ $text }”
said-not-switched-in-flight = Um saque está sendo enviado: troque de perfil quando ele terminar.
said-not-switched-waiting = O serviço ainda não respondeu aqui: espere, ou cancele com Esc.
said-not-switched-wrong = Esse perfil não abre. Nada mudou.
said-history-anew = Histórico danificado: começa outro. Isso não afeta o dinheiro. Veja em Conta.
said-requests = Arquivo de requisições não pode ser usado: { $cause }. Isso não afeta o dinheiro.
said-requests-anew = Arquivo de requisições danificado: começa outro. Isso não afeta o dinheiro.
said-not-watching = O que outras janelas fazem só aparece ao atualizar a lista.
said-zone-unreadable = TZ não indica um fuso que possa ser lido: as horas aparecem em UTC.
said-made-live = Este é o registro de saques em uso.
said-not-decided = Sua decisão não foi gravada. Nenhum dinheiro saiu por isso.
said-sending-failed = O envio falhou. { $moved } Veja em Saques.

palette-armed = Ativa · { $what }
palette-armed-times = Ativa { $n } vezes · { $what }
palette-armed-always = Ativa até ser retirada · { $what }
palette-armed-more = e mais { $n } ativas
fault-lose-answer = Falha no saque: perder a resposta
    .armed = Próximo saque: a resposta se perde
fault-drop-before = Falha no saque: cair antes de chegar
    .armed = Próximo saque: a conexão cai antes de chegar
fault-slow = Falha no saque: demorar 5 s
    .armed = Próximo saque: a resposta demora 5 s
fault-cut-json = Falha no saque: cortar o JSON da resposta
    .armed = Próximo saque: o JSON da resposta chega cortado
fault-wrong-type = Falha no saque: resposta certa com Content-Type errado
    .armed = Próximo saque: o Content-Type da resposta vem errado
fault-other-amount = Falha no saque: outro valor na resposta
    .armed = Próximo saque: a resposta traz outro valor
fault-says-failed = Falha no saque: sucesso que diz “failed”
    .armed = Próximo saque: um sucesso que diz “failed”
fault-redirect = Falha no saque: responder 307, outro endereço
    .armed = Próximo saque: a resposta é 307, outro endereço
fault-answer-400 = Falha no saque: responder 400
    .armed = Próximo saque: a resposta é 400
fault-expire-token = Falha no saque: expirar o token
    .armed = Próximo saque: o token expira
fault-key-busy = Falha no saque: responder 409, código em uso
    .armed = Próximo saque: a resposta é 409, código em uso
fault-key-reused = Falha no saque: responder 422, código já usado
    .armed = Próximo saque: a resposta é 422, código já usado
fault-too-many = Falha no saque: responder 429, esperar 5 s
    .armed = Próximo saque: a resposta é 429, esperar 5 s
fault-answer-500 = Falha no saque: responder 500
    .armed = Próximo saque: a resposta é 500
fault-answer-503 = Falha no saque: responder 503
    .armed = Próximo saque: a resposta é 503
fault-no-quote = Falha na taxa: responder 503
    .armed = Próxima consulta da taxa: a resposta é 503
fault-wrong-quote = Falha na taxa: números que não batem
    .armed = Próxima consulta da taxa: os números não batem
fault-lose-link = Falha no link: perder a resposta
    .armed = Próximo link: a resposta se perde
fault-expire-jwt = Falha no link: expirar o JWT
    .armed = Próximo link: o JWT expira
fault-other-code = Falha na cobrança: código Pix de outro valor
    .armed = Próxima cobrança: o código Pix tem outro valor
fault-broken-code = Falha na cobrança: código Pix com erro
    .armed = Próxima cobrança: o código Pix tem um erro (CRC)
fault-refuse = Sandbox: recusar conexões
    .armed = Sandbox: recusa todas as conexões
