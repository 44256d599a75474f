# O quiosque: a demonstração aberta a visitantes.

## A primeira tela

login-kiosk-language = { $key } English

## Sem ninguém

kiosk-invitation = Demonstração automática. Aperte qualquer tecla para usar.

## Ao encerrar

farewell-left = Obrigado pela visita ao balcão! Nada aqui era dinheiro de verdade.
farewell-idle = A demonstração fechou após 10 minutos sem uso. Nada aqui era dinheiro de verdade; volte quando quiser.
farewell-time = Os 30 minutos desta demonstração acabaram. Nada aqui era dinheiro de verdade; volte quando quiser.
farewell-memory = A demonstração fechou porque chegou ao limite de memória. Nada aqui era dinheiro de verdade; abra de novo para recomeçar.
farewell-cpu = A demonstração fechou porque chegou ao limite de processamento. Nada aqui era dinheiro de verdade; abra de novo para recomeçar.
farewell-typed = A demonstração fechou porque recebeu texto demais. Nada aqui era dinheiro de verdade; abra de novo para recomeçar.

## Regras e limites

said-kiosk-ready = A demonstração está pronta: entre para usar.
said-kiosk-withheld = Nesta demonstração aberta a visitantes, isso fica desligado.
said-kiosk-no-file = Aqui nada é salvo em arquivo. A tecla de copiar copia a solicitação como texto.
reach-kiosk = Este endereço só existe dentro desta demonstração: fora dela, não abre.
said-kiosk-qr = Aqui nenhum navegador é aberto: este é o QR Code.
receipt-kiosk = Aqui nada é salvo em arquivo: { $key } copia o texto do comprovante.
kiosk-help-qr = mostrar o QR Code, porque aqui nenhum navegador é aberto
kiosk-help-copy = aqui nada é salvo em arquivo: copie o texto
said-kiosk-sales = Esta demonstração já tem { $limit } links e cobranças, o limite dela. Para criar outros, recomece a demonstração.
said-kiosk-withdrawals = Esta demonstração já tem { $limit } saques, o limite dela. Para fazer outros, recomece a demonstração.
said-kiosk-start-overs = A demonstração já recomeçou { $limit } vezes, o limite de cada visita.
said-kiosk-forward = O relógio já foi adiantado um dia inteiro ({ $limit } vezes 10 minutos), o limite desta demonstração.
