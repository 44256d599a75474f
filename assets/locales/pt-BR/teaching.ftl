# Ensinar: onde estão os valores de uma resposta e como uma solicitação é enviada.

teach-title = Ensinar: { $what }
teach-intro-reply = Veja o que o balcão lê nesta resposta e o que ele envia. Mude o que não serve.
teach-intro-open = Este saque continua em aberto. Da resposta dele, agora só se ensina onde estão o código e o estado.
teach-intro-no-json = O serviço aceitou, mas a resposta não é JSON. Mude o que o balcão envia.
teach-intro-refused = O serviço recusou esta solicitação. Mude o que o balcão envia.
teach-head-reply = Procurado na resposta
teach-head-request = Na solicitação vai
teach-head-save = Pronto?
teach-new-field = + campo novo no corpo
teach-to-save =
    { $n ->
        [one] Rever e salvar 1 linha
       *[other] Rever e salvar { $n } linhas
    }
teach-missing = não encontrado
teach-absent = não veio
teach-hidden = valor oculto
teach-empty = nada
teach-entries =
    { $n ->
        [one] 1 item
       *[other] { $n } itens
    }
teach-domains =
    { $n ->
        [0] nenhum domínio
        [one] 1 domínio: { $hosts }
       *[other] { $n } domínios: { $hosts }
    }
teach-where = Onde está { $what }?
    .state = Onde diz se o domínio está ativo? Escolha o de um domínio ativo.
    .code = O serviço respondeu { $status }. Onde está o código do saque?
teach-optional = Pode estar nesta mesma resposta. { $key }: não está aqui.
    .figure = O balcão calcula este valor pelo outro. { $key }: não está aqui.
teach-reads = Lido assim: { $value }
teach-valid-until = vale até { $when }
teach-valid-for = vale por { $time } (até { $when })
teach-figures-other-unit = Só fecha com { $amount } se o serviço contar em { $unit }. Enter pergunta.
teach-figures-off = { $value } não fecha com os { $amount } enviados. Escolha outra linha.
teach-would-read = Esta resposta se lê assim:
teach-reads-nothing = Nesta linha não há o que ler.
teach-unfit = Isto não pode ser { $what }. Escolha outra linha.
lesson-says-failed = A resposta diz “{ $word }”: não serve de exemplo. Confira na sua conta.
lesson-no-code = Falta escolher o código do saque.
lesson-not-a-code = Isto não é um código. Um código tem números e muda a cada saque.
lesson-masked = Este valor não veio inteiro.
lesson-request-id = Este é o código da solicitação, não o do saque.
lesson-time = Isto é uma data ou hora, não um código.
lesson-sent = Este valor foi enviado por você: não é um código do serviço.
lesson-elsewhere = Outras respostas do serviço também trazem isto: não prova que é um saque.
lesson-not-a-state = Isto não é o estado do saque.
lesson-unread-state = Falta escolher o estado, em { $name }: só o código não diz se o saque foi aceito.
teach-reply-itself = a resposta
teach-list =
    { $n ->
        [one] lista de 1
       *[other] lista de { $n }
    }
teach-object =
    { $n ->
        [one] { "{...}" } 1 campo
       *[other] { "{...}" } { $n } campos
    }
teach-intro-line = Assim como está no formato do serviço. Nada é enviado agora.
teach-asks-unit = Estes valores só fecham com os { $amount } enviados se o serviço contar em { $unit }. Confira no site do serviço.
teach-unit-off = Assim, taxa e líquido não somam { $amount }.
teach-intro-headers = Um cabeçalho por linha, como X-Loja: 12. No da credencial, { $open } marca o lugar dela.
teach-intro-field = Um campo do corpo. Sempre igual: o valor vai em toda solicitação.
teach-line-submit = Usar
teach-refused = O formato do serviço não aceita: { $why }
teach-field-name = Nome na solicitação
teach-field-use = Na solicitação
teach-field-label = Nome na tela
teach-field-value = Valor
teach-use-asked = pedir sempre
teach-use-optional = pode ficar vazio
teach-use-fixed = sempre igual
teach-use-absent = não enviar
teach-review-intro = Estas linhas vão para o formato deste perfil. Ao salvar, você as aceita:
teach-review-intro-for-run = Estas linhas vão para o formato deste perfil. Ao salvar, você as aceita até sair, porque nenhum chaveiro guarda o aceite:
teach-was = antes: { $old }
teach-would-leave = A próxima solicitação sai assim:
teach-body-unknown = O corpo depende do que for digitado.
teach-writing = Gravando…
teach-rename = O serviço quer “{ $new }”: é o campo { $field } (hoje “{ $old }”)?
teach-leave-out = O serviço não conhece “{ $name }”. Deixar de enviar o campo { $field }?
teach-key-words = O serviço chama os tipos de chave de { $words }. Usar estas palavras?
teach-change = { $name }: { $old } → { $new }
teach-question-back = Não
teach-question-do = Sim, mudar
teach-part-amount = Valor
teach-then-login = Depois, o login é enviado de novo.
teach-then-link = Depois, o link é pedido de novo.
teach-then-charge = Depois, a cobrança volta preenchida. Nada é enviado agora.
teach-then-withdrawal = Nada é sacado agora: o saque volta preenchido, para você conferir e confirmar.
teach-untaught = O serviço citou “{ $name }”. { $why }
teach-name-unreadable = Este nome não é usado: é longo demais ou tem caracteres que enganam.
teach-name-documented = Este nome está na documentação do serviço e não muda por causa de uma recusa.
teach-name-taken = Outro campo já tem este nome.
teach-name-secret = Uma senha ou um código secreto só vai no login.
teach-name-destination = O dinheiro só vai para a Chave Pix; não há campo para outro destino.
teach-name-amount = Só há um valor na solicitação; não há campo para outro.
teach-intro-kinds = Como o serviço chama cada tipo de chave? Deixe vazio o que ele não aceita.
teach-word-cpf = CPF
teach-word-cnpj = CNPJ
teach-word-phone = Telefone
teach-word-email = E-mail
teach-word-random = Chave aleatória
teach-sought-token = o token da API
teach-sought-jwt = o JWT
teach-sought-expires-in = a validade
teach-sought-expires-at = a data em que expira
teach-sought-expires = { teach-sought-expires-at }
teach-sought-under = a lista de domínios
teach-sought-host = o domínio de cada item
teach-sought-state = se o domínio está ativo
teach-sought-next-page = a próxima página
teach-sought-url = o endereço do link
teach-sought-pix-code = o código Pix
teach-sought-net = o valor líquido
teach-sought-fee = a taxa
teach-sought-id = o identificador
teach-sought-code = o código do saque
teach-sought-status = o estado
teach-sought-end-to-end = o endToEndId
teach-sought-receipt = o comprovante
teach-sought-message = o motivo da recusa
teach-sought-failed-flag = um “não” do serviço
teach-sought-echo-amount = o valor repetido
teach-sought-echo-destination = a chave repetida
teach-sent-field = Campo
teach-sent-path = Caminho
teach-sent-method = Método
teach-sent-amount = Nome do valor
teach-sent-amounts = Valores
teach-amounts-where = Vale para
teach-amounts-everywhere = todas as operações
teach-amounts-withdrawals = os saques e a taxa
teach-amounts-here = só esta operação
teach-sent-description = Nome da descrição
teach-sent-domain = Nome do domínio
teach-sent-unit = Unidade do valor
unit-reais = reais
unit-centavos = centavos
teach-sent-amount-sent = Valor enviado como
teach-sent-amount-read = Valor lido com
teach-sent-key-header = Cabeçalho do código
teach-sent-key-format = Forma do código
teach-sent-key-in-body = Código no corpo
teach-sent-credential = Credencial
teach-sent-credential-headers = Cabeçalhos dela
teach-sent-headers = Outros cabeçalhos
teach-sent-header = Cabeçalho
teach-sent-encoding = Corpo escrito como
teach-sent-success = Respostas de sucesso
teach-sent-pages = Páginas da lista
teach-sent-token-header = Cabeçalho com o token
