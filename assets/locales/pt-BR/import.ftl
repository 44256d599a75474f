# Links de um arquivo, no app.

header-batch = lote { $done } de { $all }
    .paused = lote parado: { $done } de { $all }
links-filter-batch = só o último lote

# O arquivo
import-title = Importar links
import-what = Um arquivo CSV com as colunas valor e descrição; se quiser, domínio e nota. Tab completa o caminho; também dá para colar ou arrastar o arquivo.
import-check = Conferir o arquivo
field-import-file = Arquivo
field-import-unit = O valor é
import-choose-unit = escolha
import-reading = lendo o arquivo
import-unreadable = Não deu para ler o arquivo: { $why }
import-outdated = Confira o arquivo de novo: ele ou o arquivo do resultado mudou.
import-unfinished = Este arquivo tem um lote começado em { $when }, com { $n ->
    [one] 1 linha
   *[other] { $n } linhas
} por enviar. { $key } abre o lote.
import-newest = Último lote: { $when }. { $key } abre.
import-newest-waiting = Último lote: { $when }, com { $n ->
    [one] 1 linha
   *[other] { $n } linhas
} por enviar. { $key } abre.
import-more-names = { $n ->
    [one] e mais 1 nome
   *[other] e mais { $n } nomes
}
said-no-such-file = Nenhum arquivo começa assim.

# Conferir
import-check-title = Conferir antes de criar
import-result = O resultado fica em { $file }
import-storing = guardando o lote
import-faults = { $n ->
    [one] 1 linha com problema fica de fora:
   *[other] { $n } linhas com problema ficam de fora:
}
import-existing = { $n ->
    [one] 1 link já existe e não será criado de novo. { $key } inclui.
   *[other] { $n } links já existem e não serão criados de novo. { $key } inclui.
}
    .again = { $n ->
    [one] 1 link já existe e será criado de novo. { $key } deixa de fora.
   *[other] { $n } links já existem e serão criados de novo. { $key } deixa de fora.
}
import-line = linha { $line }
import-more-lines = { $n ->
    [one] e mais 1 linha; o arquivo do resultado tem todas
   *[other] e mais { $n } linhas; o arquivo do resultado tem todas
}

# O lote
batch-title = Lote de links
batch-ended = lote encerrado por você
import-made = Criados
import-waiting = Por enviar
import-refused = Recusados
import-unknown = Sem resposta
import-skipped = Fora do lote
import-file = Arquivo
import-result-file = Resultado
import-stopping = Parando: falta a resposta de um link.
import-slowed = O serviço pediu para ir mais devagar. O lote continua sozinho.
import-finished = Terminado.
import-stopped = { $n ->
    [one] Parado: falta 1 linha. { $key } continua.
   *[other] Parado: faltam { $n } linhas. { $key } continua.
}
import-elsewhere = { $n ->
    [one] Falta 1 linha.
   *[other] Faltam { $n } linhas.
} Só o computador { $machine } continua ou encerra este lote.
import-paused-login = Parado: o serviço não aceita o login. { $login } entra na conta; depois, { $key } continua.
import-paused-failures = Parado: três linhas seguidas falharam. Veja o motivo; { $key } continua.
import-paused-team = Parado: sem conexão com o banco de dados da equipe. Quando ela voltar, { $key } continua.
import-broken = Parado: { $why }
import-no-result = Não deu para gravar o arquivo do resultado: { $why }
import-failed = { $n ->
    [one] 1 linha sem link
   *[other] { $n } linhas sem link
}
import-unknown-hint = Um link sem resposta pode existir. Confira na sua conta; se não existir, { $key } põe a linha de volta no lote.

said-batch-finished = ✓ Lote terminado. { $key } em Links mostra o resultado.
said-batch-paused = O lote parou. Em Links, { $key } mostra o motivo.
said-batch-login = O lote parou: o serviço não aceita o login. Entre de novo e continue.
said-batch-other-account = Este lote é de outra conta. Entre nela para continuar.
clip-addresses = endereços do lote
    .copied = ✓ Endereços do lote copiados.

ask-create-links = Os links são criados um por um, até 5 por segundo. Dá para parar a qualquer momento.
    .title = Criar os links?
    .back = Voltar
    .do = Criar os links
ask-create-links-faults = { $n ->
    [one] 1 linha com problema fica de fora.
   *[other] { $n } linhas com problema ficam de fora.
}
ask-create-links-existing = { $n ->
    [one] 1 link que já existe será criado de novo.
   *[other] { $n } links que já existem serão criados de novo.
}
ask-create-links-skipped = { $n ->
    [one] 1 link que já existe fica de fora.
   *[other] { $n } links que já existem ficam de fora.
}
ask-line-again = O link da linha { $line } pode já existir: o serviço não respondeu. Se ele existir, este será um segundo link igual.
    .title = Criar este link de novo?
    .back = Deixar assim
    .do = Criar de novo
ask-end-batch = { $n ->
    [one] 1 linha ainda não enviada não será mais enviada. Os links criados ficam.
   *[other] { $n } linhas ainda não enviadas não serão mais enviadas. Os links criados ficam.
}
    .title = Encerrar o lote?
    .back = Manter
    .do = Encerrar o lote
ask-leave-batch = Um lote de links está sendo enviado. O balcão espera a resposta do link em andamento e fecha. As outras linhas ficam para depois.
    .title = Parar o lote e sair?
    .back = Ficar
    .do = Parar e sair
