/** Portuguese. */

import type {AsideWords} from './words.js'

export const pt: AsideWords = {
  page: {
    compare: 'Comparar com a página',
    rows: 'Linhas desta página',
    hint: 'Arraste uma linha ou mova-a com as teclas de seta. A tecla Delete remove uma linha de coluna.',
    add: 'Adicionar uma linha de coluna',
    read: 'Ler novamente',
    line: 'Linha de coluna {number}',
    top: 'Limite superior da tabela',
    bottom: 'Limite inferior da tabela',
  },
  receipt: {
    title: 'Recibo: {catalog}',
    came_in: 'O que chegou',
    file: 'Ficheiro',
    uploaded: 'Carregado',
    in_file: 'Linhas no ficheiro',
    imported: 'Linhas importadas',
    applied: 'Importado',
    changes: 'Alterações manuais',
    answers: 'Perguntas respondidas',
    skipped: 'O que foi ignorado e por quê',
    nothing_skipped: 'Nada foi ignorado.',
    with_errors: 'Linhas com erros',
    removed: 'Linhas que excluiu',
    refused: 'Linhas recusadas por um recetor',
    columns: 'Colunas não importadas',
    who_has: 'Qual sistema tem as linhas',
    the_page: 'A página a partir da qual importou',
    nowhere: 'As linhas estão apenas no serviço de importação.',
    undo: 'Anulação',
    until: 'Pode anular esta importação até {date}.',
    undone: 'Esta importação foi anulada.',
    never: 'Nenhum sistema anula esta importação automaticamente.',
    by_hand: '{names}: apenas manualmente.',
    reference: 'Referência para a assistência',
    save: 'Guardar como ficheiro',
  },
}
