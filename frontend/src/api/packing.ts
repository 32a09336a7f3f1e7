/** Several files as one archive, stored and not compressed: it is sent like any file, in parts that survive a broken connection. */

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const UTF8 = 0x0800 // of the names
const FIRST_DAY = 0x21 // of 1980: equal files make an equal archive
const MOST_BYTES = 0xffff_ffff
const TABLE = Uint32Array.from({length: 256}, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1
  return rest
})

/** Pack files. Throw RangeError for more than 4 GiB. */
export async function packed(files: readonly File[]): Promise<File> {
  const parts: BlobPart[] = []
  const directory: BlobPart[] = []
  const names = distinct(files.map(({name}) => name))
  let offset = 0
  let listed = 0
  for (const [at, file] of files.entries()) {
    const name = new TextEncoder().encode(names[at])
    const about: Field[] = [[2, 20], [2, UTF8], [2, 0], [2, 0], [2, FIRST_DAY], [4, await checksum(file)], [4, file.size], [4, file.size], [2, name.length], [2, 0]]
    const head = record([[4, LOCAL], ...about])
    const entry = record([[4, CENTRAL], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]])
    parts.push(head, name, file)
    directory.push(entry, name)
    offset += head.length + name.length + file.size
    listed += entry.length + name.length
    if (offset + listed > MOST_BYTES) throw new RangeError('more than an archive holds')
  }
  const end = record([[4, END], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, listed], [4, offset], [2, 0]])
  const stem = files[0]!.name.replace(/\.[^.]*$/, '')
  return new File([...parts, ...directory, end], `${stem} +${files.length - 1}.zip`, {type: 'application/zip'})
}

type Field = [bytes: 2 | 4, value: number]

function record(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

async function checksum(file: File): Promise<number> {
  let rest = ~0
  for (const reader = file.stream().getReader();;) {
    const {done, value} = await reader.read()
    if (done) return ~rest >>> 0
    for (const byte of value) rest = TABLE[(rest ^ byte) & 0xff]! ^ (rest >>> 8)
  }
}

/** Names that differ in more than case. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map(name => {
    let unique = name
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) unique = name.replace(/(\.[^.]*)?$/, ` (${number})$1`)
    taken.add(unique.toLowerCase())
    return unique
  })
}
