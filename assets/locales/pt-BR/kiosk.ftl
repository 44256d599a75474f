# O quiosque: a demonstração aberta a visitantes.

## Ao encerrar

farewell-left = Obrigado pela visita ao balcão! Nada aqui era dinheiro de verdade.
farewell-idle = A demonstração fechou após 10 minutos sem uso. Nada aqui era dinheiro de verdade; volte quando quiser.
farewell-time = Os 30 minutos desta demonstração acabaram. Nada aqui era dinheiro de verdade; volte quando quiser.
farewell-memory = A demonstração fechou porque chegou ao limite de memória. Nada aqui era dinheiro de verdade; abra de novo para recomeçar.
farewell-cpu = A demonstração fechou porque chegou ao limite de processamento. Nada aqui era dinheiro de verdade; abra de novo para recomeçar.
farewell-typed = A demonstração fechou porque recebeu texto demais. Nada aqui era dinheiro de verdade; abra de novo para recomeçar.
