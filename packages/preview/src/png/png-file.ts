import { crc32, deflateSync } from 'node:zlib'

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** Every row is written as its difference to the one above, which for charts is mostly nothing. */
const filterUp = 2
const bytesPerPixel = 3

/** A PNG of red, green and blue, eight bits each; shown at half its size on ordinary screens. */
export function pngFile(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 8)
  header.setUint8(9, 2)
  const pixelsPerMetre = Math.round(144 / 0.0254)
  const density = new DataView(new ArrayBuffer(9))
  density.setUint32(0, pixelsPerMetre)
  density.setUint32(4, pixelsPerMetre)
  density.setUint8(8, 1)
  return Buffer.concat([
    signature,
    chunk('IHDR', bytesOf(header)),
    chunk('pHYs', bytesOf(density)),
    chunk('IDAT', deflateSync(filtered(width, height, pixels), { level: 9 })),
    chunk('IEND', new Uint8Array(0)),
  ])
}

const bytesOf = ({ buffer }: DataView<ArrayBuffer>): Uint8Array => new Uint8Array(buffer)

function filtered(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const rowBytes = width * bytesPerPixel
  const rows = new Uint8Array(height * (rowBytes + 1))
  for (let y = 0; y < height; y++) {
    const to = y * (rowBytes + 1)
    const from = y * rowBytes
    rows[to] = filterUp
    for (let x = 0; x < rowBytes; x++) {
      const above = y === 0 ? 0 : pixels[from + x - rowBytes]!
      rows[to + 1 + x] = pixels[from + x]! - above
    }
  }
  return rows
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  bytes.set(data, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}
