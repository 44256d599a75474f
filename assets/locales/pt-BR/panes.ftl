# Login, JWT, domínios, trocas, conta, perguntas e avisos.

login-title = Entrar
login-submit = Entrar
login-wait = Entrando
login-kept = O token fica
login-memory = Ao entrar, o balcão pergunta se pode guardar só na memória.
look-around = Dá para olhar tudo sem entrar ({ $key }).

keeper-asking = ainda não se sabe: o chaveiro está sendo consultado
keeper-keyring = no chaveiro deste sistema
keeper-memory = só na memória, até você sair do programa
keeper-absent = sem lugar: este computador não tem chaveiro
keeper-locked = sem lugar: o chaveiro está trancado
keeper-hangs = sem lugar: o chaveiro não respondeu
keeper-other = sem lugar: o chaveiro deu um erro

jwt-title = JWT dos links
jwt-why = Para criar links, o serviço pede um JWT (Authorization: Bearer <JWT>). A documentação não diz como se obtém esse JWT: pergunte ao serviço. O login daqui traz só o token da API, que é dos saques.
jwt-field = JWT
jwt-submit = Guardar
jwt-wait = Guardando
jwt-kept = Fica { $where }.

account-profile = Perfil
account-service = Serviço
account-kind = Tipo
account-sandbox = sandbox: nenhum dinheiro de verdade
account-who = Conta
account-nobody = ninguém entrou
account-kept = Credenciais

credential-api-token = Token da API
    .for = para os saques
    .absent = não há: entre na conta
    .refused = o serviço não aceitou: entre na conta de novo
credential-jwt = JWT
    .for = para os links
    .absent = não há: cole o JWT
    .refused = o serviço não aceitou: cole um novo
credential-unknown = ainda não se sabe
credential-held = guardado; o vencimento não é conhecido
credential-until = guardado; vale até { $when }
credential-expired = venceu: { $when }
credential-demo = posto aqui pela demonstração

domains-top = Onde o comprador abre os seus links
domains-wait = Consultando domínios
domain-automatic = automático
    .what = o serviço escolhe um ativo
domain-chosen = novos links
domain-usable = pode ser usado
domain-active = ativo
domain-pending = ainda não ativo
domain-pending-word = ainda não ativo: “{ $word }”
domain-default = padrão
domains-pick = Escolha onde abrem os novos links. Os links já criados não mudam.
domains-not-asked = Ainda não consultado. Para consultar é preciso a credencial em Conta.
domains-none = O serviço não listou nenhum domínio que possa ser usado agora.
domains-active-how = Um domínio fica ativo quando o DNS e o SSL dele ficam prontos. Sem um domínio ativo, o serviço recusa novos links.
domains-way-out = Uma cobrança direta não precisa de domínio (tecla { $key }).

exchanges-none = Nenhuma troca ainda.
exchanges-what = Cada pedido ao serviço e a resposta dele aparecem aqui, inteiros, com os segredos mascarados. A lista dura até você sair.
exchanges-top = { $n ->
    [one] { $n } troca desde o início, segredos mascarados
   *[other] { $n } trocas desde o início, segredos mascarados
}
exchange-reply = Resposta { $status }, em { $took }
exchange-after = Depois de { $took }:
exchange-no-answer = sem resposta
exchange-not-sent = não enviado
exchange-cancelled = cancelado
exchange-failed = falhou
exchange-no-body = (sem corpo)
operation-login = Login
operation-domains = Domínios
operation-link = Criar link
operation-charge = Cobrança direta
operation-fee = Taxa do saque
operation-withdrawal = Saque

ask-drop-form = O que você digitou aqui será perdido.
    .title = Sair do formulário?
    .back = Continuar
    .do = Sair sem guardar
ask-leave = Um saque está sendo enviado agora. Se você sair da tela, o programa espera o envio terminar e só então encerra.
    .title = Sair com um saque em andamento?
    .back = Ficar
    .do = Sair da tela
ask-log-out = O token da API e o JWT serão apagados deste computador. O histórico e os saques em aberto ficam.
    .title = Sair da conta?
    .back = Continuar na conta
    .do = Sair da conta
ask-copy-odd = O endereço vai exatamente como está. Copie só se você o reconhece.
    .title = Copiar este endereço?
    .back = Não copiar
    .do = Copiar
ask-discard = Nenhum dinheiro saiu por ele. A chave não será usada de novo. Para sacar depois, faça um saque novo.
    .title = Descartar o saque?
    .back = Manter
    .do = Descartar
ask-found = Confirme só se você o viu na sua conta do serviço ou no banco de quem recebe. Ele não será enviado de novo.
    .title = O saque foi pago?
    .back = Ainda não sei
    .do = Foi pago
ask-use-memory = Sem chaveiro, as credenciais ficam só na memória deste programa. Quando você sair, elas somem e será preciso entrar de novo.
    .title = Guardar só na memória?
    .back = Não guardar
    .do = Só na memória
ask-withdrawal-of = Saque de { $amount }

odd-not-an-address = não dá para ler como endereço da web
odd-user-info = leva um nome de usuário ou uma senha dentro
odd-ip = aponta para um número, não para um domínio
odd-http = não é cifrado (http)
odd-api-host = aponta para o endereço do próprio serviço
odd-unknown-host = não é o domínio escolhido nem um dos seus conhecidos

palette-nothing = Nada com esse nome agora.
wish-buyers-view = Visão do comprador: a página do link
wish-fault = Demonstração: { $name }
wish-no-faults = Demonstração: sem falhas
wish-start-over = Demonstração: recomeçar o sandbox
wish-domains-down = Demonstração: desativar os domínios
wish-domains-up = Demonstração: reativar os domínios

said-copied-desktop = Copiado para a área de transferência.
said-copied-tmux = Copiado para o tmux e passado ao seu terminal.
said-copied-terminal = Enviado à área de transferência do seu terminal.
said-not-copied = Não deu para copiar.
said-not-copied-clean = Não copiado: o endereço tem caracteres de controle.
said-not-copied-long = Não copiado: é longo demais para o terminal. Está inteiro na tela.
said-not-copied-nothing = Não há o que copiar aqui.
said-opened = O navegador foi chamado.
said-not-opened = Não deu para chamar um navegador.
said-logged-in = Você entrou na conta.
said-logged-out = Você saiu da conta. As credenciais foram apagadas daqui.
said-jwt-kept = JWT guardado. Você já pode criar links.
said-domain-automatic = Novos links: o serviço escolhe seu domínio ativo.
said-domain-named = Novos links abrem em { $host }.
said-sandbox-paid = O sandbox diz que um link foi pago: { $amount }.
said-fault-armed = Demonstração armada: { $name }.
said-faults-gone = Demonstração: as falhas foram retiradas.
said-started-over = Demonstração: o sandbox recomeçou.
said-domains-down = Demonstração: todos os domínios estão inativos.
said-domains-up = Demonstração: os domínios voltaram.
said-history = O histórico falhou; o dinheiro não é afetado.
said-not-watching = O que outras janelas fazem só aparece ao atualizar a lista.

fault-lose-answer = perder a resposta
fault-answer-500 = responder 500
fault-answer-503 = responder 503
fault-cut-json = cortar o JSON da resposta
fault-wrong-type = responder com o tipo errado
fault-drop-before = cair antes de chegar
fault-slow = demorar 5 s
fault-expire-token = vencer o token
fault-other-amount = outro valor na resposta
fault-refuse = recusar conexões
