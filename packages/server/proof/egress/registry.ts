/** The registries of IANA by a comparison of bits as text: slow, and nothing in common with the code under proof. */
const V4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32'
const V6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'

const bits4 = (text: string): string =>
  text
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')

function bits6(text: string): string {
  const [head = '', tail] = text.split('::')
  const list = (side: string | undefined) => (side === undefined || side === '' ? [] : side.split(':'))
  const [a, b] = [list(head), list(tail)]
  const all = tail === undefined ? a : [...a, ...Array<string>(8 - a.length - b.length).fill('0'), ...b]
  return all.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

function isAmong(table: string, bits: string, bitsOf: (text: string) => string): boolean {
  return table.split(' ').some((cidr) => {
    const [prefix = '', length = ''] = cidr.split('/')
    return bits.startsWith(bitsOf(prefix).slice(0, Number(length)))
  })
}

export function isPublicByRegistry(address: string): boolean {
  if (!address.includes(':')) return !isAmong(V4, bits4(address), bits4)
  const bits = bits6(address.replace(/%.*$/, ''))
  return bits.startsWith('001') && !isAmong(V6, bits, bits6)
}
