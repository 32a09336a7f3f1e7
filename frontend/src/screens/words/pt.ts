/** Portuguese. */

import type {AsideWords} from './words.js'

export const pt: AsideWords = {
  page: {
    compare: 'Comparar com a página',
    rows: 'Linhas desta página',
    hint: 'Arraste uma linha ou mova-a com as teclas de seta. Delete remove uma linha de coluna.',
    add: 'Adicionar uma linha de coluna',
    read: 'Ler novamente',
    line: 'Linha de coluna {number}',
    top: 'Topo da tabela',
    bottom: 'Fim da tabela',
  },
  receipt: {
    title: 'Comprovante: {catalog}',
    came_in: 'O que chegou',
    file: 'Arquivo',
    uploaded: 'Enviado',
    in_file: 'Linhas no arquivo',
    imported: 'Linhas importadas',
    applied: 'Importado',
    changes: 'Alterações manuais',
    answers: 'Perguntas respondidas',
    skipped: 'O que foi ignorado e por quê',
    nothing_skipped: 'Nada foi ignorado.',
    with_errors: 'Linhas com erros',
    removed: 'Linhas que você excluiu',
    refused: 'Linhas recusadas por um destinatário',
    columns: 'Colunas não importadas',
    who_has: 'Qual sistema tem as linhas',
    the_page: 'A página da qual você importou',
    nowhere: 'As linhas estão somente no serviço de importação.',
    undo: 'Desfazer',
    until: 'Você pode desfazer esta importação até {date}.',
    undone: 'Esta importação foi desfeita.',
    never: 'Nenhum sistema desfaz esta importação automaticamente.',
    by_hand: '{names}: somente à mão.',
    reference: 'Referência para o suporte',
    save: 'Salvar como arquivo',
  },
}
