import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate for 127.0.0.1 that vouches for itself, with its key: PEM, of a server or client. */
export interface SelfSigned {
  readonly cert: string
  readonly key: string
}

const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const set = (...parts: readonly Buffer[]) => tagged(0x31, ...parts)
const identifier = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number) => tagged(0x02, Buffer.from([value]))
const bits = (content: Buffer) => tagged(0x03, Buffer.from([0]), content)
const bytes = (content: Buffer) => tagged(0x04, content)
const text = (value: string) => tagged(0x0c, Buffer.from(value))
const instant = (value: string) => tagged(0x18, Buffer.from(value))

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const commonName = identifier('550403')
const alternativeNames = identifier('551d11')
const basicConstraints = identifier('551d13')
const isTrue = tagged(0x01, Buffer.from([0xff]))
const loopback = tagged(0x87, Buffer.from([127, 0, 0, 1]))

export function selfSigned(name: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = sequence(set(sequence(commonName, text(name))))
  const extensions = sequence(
    sequence(alternativeNames, bytes(sequence(loopback))),
    sequence(basicConstraints, bytes(sequence(isTrue))),
  )
  const content = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    subject,
    sequence(instant('20200101000000Z'), instant('21200101000000Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = sequence(content, ecdsaWithSha256, bits(signature)).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
