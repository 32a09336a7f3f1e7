import {expect, test} from 'vitest'

import {packed} from '../src/api/packing.js'

const END_BYTES = 22
const HEAD_BYTES = 30
const ENTRY_BYTES = 46

interface Entry {
  name: string
  checksum: string
  text: string
}

/** The files of an archive as its directory lists them (APPNOTE 6.3, parts 4.3.7, 4.3.12 and 4.3.16). */
async function entriesOf(archive: File): Promise<Entry[]> {
  const bytes = new Uint8Array(await archive.arrayBuffer())
  const view = new DataView(bytes.buffer)
  const text = (from: number, size: number): string => new TextDecoder().decode(bytes.subarray(from, from + size))
  const end = bytes.length - END_BYTES
  expect(view.getUint32(end, true)).toBe(0x06054b50)
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  expect(at + view.getUint32(end + 12, true)).toBe(end)
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const [size, named, head] = [view.getUint32(at + 24, true), view.getUint16(at + 28, true), view.getUint32(at + 42, true)]
    expect([view.getUint32(at, true), view.getUint32(head, true)]).toEqual([0x02014b50, 0x04034b50])
    expect(bytes.subarray(head + 4, head + HEAD_BYTES)).toEqual(bytes.subarray(at + 6, at + 32))
    entries.push({
      name: text(at + ENTRY_BYTES, named),
      checksum: view.getUint32(at + 16, true).toString(16),
      text: text(head + HEAD_BYTES + named, size),
    })
    at += ENTRY_BYTES + named
  }
  return entries
}

test('files are packed unchanged, under names of their own, with their checksums', async () => {
  const archive = await packed([new File(['123456789'], 'orders.csv'), new File(['ä'], 'Köln.csv'), new File(['123456789'], 'ORDERS.csv')])

  expect(archive.name).toBe('orders +2.zip')
  expect(await entriesOf(archive)).toEqual([
    {name: 'orders.csv', checksum: 'cbf43926', text: '123456789'}, // the check value of CRC-32
    {name: 'Köln.csv', checksum: '70b5f183', text: 'ä'},
    {name: 'ORDERS (2).csv', checksum: 'cbf43926', text: '123456789'},
  ])
})

test('equal files make an equal archive', async () => {
  const files = () => [new File(['a'], 'a.csv'), new File(['b'], 'b.csv')]

  expect(await (await packed(files())).text()).toBe(await (await packed(files())).text())
})
