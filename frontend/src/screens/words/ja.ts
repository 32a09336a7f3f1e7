/** Japanese. */

import type {AsideWords} from './words.js'

export const ja: AsideWords = {
  page: {
    compare: 'ページと比較',
    rows: 'このページの行',
    hint: '線をドラッグするか、矢印キーで動かしてください。Deleteキーで列の線を削除します。',
    add: '列の線を追加',
    read: '読み取り直す',
    line: '列の線{number}',
    top: '表の上端',
    bottom: '表の下端',
  },
  receipt: {
    title: '控え：{catalog}',
    came_in: '受け取った内容',
    file: 'ファイル',
    uploaded: 'アップロード日時',
    in_file: 'ファイルの行数',
    imported: 'インポートした行数',
    applied: 'インポート日時',
    changes: '手動による変更',
    answers: '回答した質問',
    skipped: 'スキップした内容と理由',
    nothing_skipped: 'スキップした内容はありません。',
    with_errors: 'エラーのある行',
    removed: '手動で除外した行',
    refused: '受信側が拒否した行',
    columns: 'インポートしなかった列',
    who_has: '行を受け取ったシステム',
    the_page: 'インポート元のページ',
    nowhere: '行はインポートサービスにのみ保管されています。',
    undo: '取り消し',
    until: 'このインポートは{date}まで取り消せます。',
    undone: 'このインポートは取り消されました。',
    never: 'このインポートを自動で取り消すシステムはありません。',
    by_hand: '{names}：手作業のみ。',
    reference: 'サポート用の番号',
    save: 'ファイルに保存',
  },
}
