/** Changes of a zip file that its structure invites: single bits, numbers of headers, pieces moved, doubled or cut. */

export type Random = (below: number) => number

const MARKS = [0x0403_4b50, 0x0201_4b50, 0x0605_4b50, 0x0606_4b50, 0x0706_4b50, 0x0807_4b50]
const NUMBERS = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff]

export function mutate(base: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(base)
  for (let times = 1 + random(3); times > 0; times--) bytes = Buffer.from(change(bytes, random))
  return bytes
}

function change(bytes: Buffer, random: Random): Buffer {
  const { length } = bytes
  if (length < 8) return Buffer.concat([bytes, Buffer.from([random(256)])])
  const at = random(length)
  const other = random(length)
  const size = 1 + random(Math.min(64, length - 1))
  switch (random(9)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
      return bytes
    case 1:
      bytes[at] = random(256)
      return bytes
    case 2:
      return bytes.subarray(0, at)
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)])
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(other, other + size), bytes.subarray(at)])
    case 5:
      bytes.copy(bytes, at, other, Math.min(length, other + size))
      return bytes
    case 6:
      bytes.writeUInt32LE(NUMBERS[random(NUMBERS.length)] ?? 0, Math.min(at, length - 4))
      return bytes
    case 7:
      bytes.writeUInt32LE(MARKS[random(MARKS.length)] ?? 0, Math.min(at, length - 4))
      return bytes
    default:
      return changeField(bytes, random)
  }
}

/** A number in one of the headers, wherever they are. */
function changeField(bytes: Buffer, random: Random): Buffer {
  const headers: number[] = []
  for (let at = 0; at + 46 <= bytes.length; at++) {
    if (MARKS.includes(bytes.readUInt32LE(at))) headers.push(at)
  }
  const header = headers[random(headers.length)]
  if (header === undefined) return bytes
  const field = header + 4 + random(38)
  if (random(2) === 0) bytes.writeUInt16LE(random(65_536), field)
  else bytes.writeUInt32LE(NUMBERS[random(NUMBERS.length)] ?? random(2 ** 31), field)
  return bytes
}
