import { hash } from 'node:crypto'

export const checksumField = 'Checksum'

/**
 * Over JSON without blanks, with the fields in the order of the file. A text that is one byte off
 * either parses to the same fields or has another checksum.
 */
export function checksumOf(json: string): string {
  return hash('sha256', json, 'hex').slice(0, 16)
}
