# O arquivo de ajuda: um zip para quem ajuda (balcao support).
help-support = Um arquivo para quem ajuda você: salva, ou mostra o que há nele
help-support-save = Salva um arquivo para quem ajuda você, sem segredos e dados pessoais
    .long = Salva um arquivo para quem ajuda você, sem segredos e dados pessoais

        O arquivo, um zip, leva as solicitações guardadas, como requests export --strict as escreve, o que doctor verificou, o formato do serviço, as configurações e, se você quiser, uma frase sua. Antes de salvar, mostra o que vai nele e o que foi mascarado. Nada é enviado: é você quem passa o arquivo adiante.
    .file = Salva neste arquivo novo, que só você pode ler; sem isso, com a data e um código no nome
    .of = Só as solicitações do link, da cobrança ou do saque com este código; o endereço do link também serve
    .recording = Leva também esta gravação da tela (balcao --record)
    .yes = Não pergunta
help-support-show = Mostra o que há num arquivo de ajuda, e o que não serve
    .file = O arquivo de ajuda

# O começo do nome do arquivo, sem acentos.
support-file = balcao-ajuda
support-ask-sentence = Em uma frase: o que deu errado? (Enter deixa sem)
support-wait = Verificando este computador e o serviço…
support-contents = No arquivo vai:
support-ask = Nada é enviado: o arquivo fica neste computador. Enter salva; qualquer outra coisa cancela.
support-saved = ✓ Salvo em { $file }. Agora é só passar este arquivo a quem ajuda você.
support-too-large = O arquivo ficaria grande demais. Escolha um link, uma cobrança ou um saque com --of.
support-requests = { $n ->
    [one] { $n } solicitação com a resposta
   *[other] { $n } solicitações com as respostas
}
support-sentence = a frase, como foi digitada: “{ $text }”
support-member-recording = as telas gravadas
support-member-requests = as solicitações com as respostas
support-member-doctor = o que foi verificado neste computador
support-member-contract = o que o formato do serviço tem de diferente
support-member-settings = as configurações
support-member-words = a frase de quem pede ajuda
support-member-about = versão, data, idioma e tamanho da tela
support-masked = Mascarado: { $counts }. Senhas e tokens não vão no arquivo.
    .nothing = Não havia o que mascarar. Senhas e tokens não vão no arquivo.
support-masked-cpf = { $n } CPF
support-masked-cnpj = { $n } CNPJ
support-masked-phone = { $n ->
    [one] { $n } telefone
   *[other] { $n } telefones
}
support-masked-email = { $n ->
    [one] { $n } e-mail
   *[other] { $n } e-mails
}
support-masked-uuid = { $n ->
    [one] { $n } código UUID
   *[other] { $n } códigos UUID
}
support-masked-pix-code = { $n ->
    [one] { $n } código Pix
   *[other] { $n } códigos Pix
}
support-masked-picture = { $n ->
    [one] { $n } imagem
   *[other] { $n } imagens
}
support-masked-token = { $n ->
    [one] { $n } código longo
   *[other] { $n } códigos longos
}
support-masked-host = { $n ->
    [one] { $n } site
   *[other] { $n } sites
}
support-masked-amount = { $n ->
    [one] { $n } valor
   *[other] { $n } valores
}
support-masked-number = { $n ->
    [one] { $n } número
   *[other] { $n } números
}
support-masked-text = { $n ->
    [one] { $n } texto
   *[other] { $n } textos
}
# O que não serve num arquivo de ajuda, e por quê.
support-fault-name = Ficou de fora: “{ $name }” não é parte de um arquivo de ajuda.
support-fault-not-file = Ficou de fora: { $name } não é um arquivo comum.
support-fault-twice = Ficou de fora: { $name } está lá mais de uma vez.
support-fault-encrypted = Ficou de fora: { $name } está criptografado.
support-fault-packing = Ficou de fora: { $name } está compactado de um jeito desconhecido.
support-fault-large = Ficou de fora: com { $name } passaria de 256 MiB.
support-fault-damaged = Ficou de fora: { $name } está danificado.
support-fault-list = A lista do que há no arquivo está danificada: pode faltar algo.
support-fault-many = O arquivo tem coisas demais: só o começo foi lido.
support-fault-newer = Uma versão mais nova do balcão escreveu este arquivo: pode faltar algo.
complaint-support-large = { $file } é grande demais: o limite é de 64 MiB.
complaint-support-cut = { $file } está incompleto: falta o fim. Peça para enviar de novo.
complaint-support-not = { $file } não é um arquivo de ajuda do balcão. Peça o arquivo que balcao support save escreveu.
