# O player de gravações (balcao play).

play-playing = tocando
play-paused = pausado
play-searching = procurando
play-frame = tela { $frame } de { $frames }
play-part = só uma parte da tela: Tab mostra outra
play-no-more = Não há outro.
play-bad-time = Digite o tempo como 1:30.
play-empty = Não há nenhuma tela que dê para mostrar.
play-ask-text = Procurar na tela: { $text }
play-ask-time = Ir para (min:s): { $text }

play-key-pause = Espaço toca e pausa
play-key-frames = ← → tela
play-key-events = ↑ ↓ evento
play-key-marks = m M marca
play-key-errors = x X erro
play-key-requests = r R solicitação
play-key-text = / procura, n N repete
play-key-time = t tempo
play-key-ends = Home End início e fim
play-key-speed = + - velocidade
play-key-details = e detalhes
play-key-quit = q sai

play-about = Gravação do balcão { $version }
play-clock = { $date }, { $time }
play-look = { $language }, tema { $theme }
play-events = Eventos até aqui
play-keys = Teclas
play-event-key = tecla { $name }
play-event-message = mensagem { $name }
play-event-effect = efeito { $name }
play-event-request = solicitação { $id }: { $operation }, { $outcome }
play-event-failed = falhou ({ $name })
play-event-mark = marca: aqui deu errado
play-event-unknown = evento de uma versão mais nova

play-fault-newer = Uma versão mais nova do balcão gravou este arquivo (formato { $format }): o que esta não conhece fica de fora.
play-fault-header = O começo do arquivo está danificado: faltam a versão, o idioma e o tamanho.
play-fault-damaged = Uma parte do arquivo está danificada e fica de fora.
play-fault-cut = Falta o fim do arquivo.
