import { createHash, randomFillSync } from 'node:crypto'
import { limits } from '@kron/core'

/** What an id names; it is also what the id begins with. */
type IdKind = 'ten' | 'job' | 'ep' | 'key' | 'sec' | 'aud' | 'ses' | 'req' | 'wrk'

/** Crockford's base 32: no letter that could be read as another. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeCharacters = 10
const randomCharacters = 16
const written = '[0-9a-hjkmnp-tv-z]{26}'
const pattern = new RegExp(`^(ten|job|ep|key|sec|aud|ses|req|wrk)_${written}$`)

/** What every id of a kind looks like, as a regular expression. */
export const idPattern = (kind: IdKind): string => `^${kind}_${written}$`

/**
 * A new id: 48 bits of time, then 80 random ones, so that ids sort by age and new rows stand beside
 * each other in every index.
 */
export function newId(kind: IdKind, now: number): string {
  const random = now === lastTime ? following(lastRandom) : randomText(randomCharacters)
  lastTime = now
  lastRandom = random
  let time = ''
  for (let left = now, n = 0; n < timeCharacters; n++) {
    time = alphabet[left % 32]! + time
    left = Math.floor(left / 32)
  }
  return `${kind}_${time}${random}`
}

export function isId(kind: IdKind, text: string): boolean {
  return text.startsWith(`${kind}_`) && pattern.test(text)
}

let lastTime = -1
let lastRandom = ''

/** The next text in order: ids of the same millisecond sort as they were made. */
function following(text: string): string {
  const last = text.at(-1)!
  if (last !== 'z') return text.slice(0, -1) + alphabet[alphabet.indexOf(last) + 1]
  return text.length === 1 ? '0' : `${following(text.slice(0, -1))}0`
}

const pool = new Uint8Array(4096)
let taken = pool.length

/** 5 bits a character; the pool saves a system call for each id. */
export function randomText(characters: number): string {
  if (taken + characters > pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  let text = ''
  for (let n = 0; n < characters; n++) text += alphabet[pool[taken++]! & 31]
  return text
}

/**
 * What a new endpoint is seeded with. It is made of names alone, so that times can be foretold
 * before the endpoint is saved, and are the same where it is made again from an export.
 */
export function seedIdentity(tenant: string, job: string, name: string): string {
  const identity = `${tenant}/${job}/${name}`
  if (Buffer.byteLength(identity) <= limits.identityBytes) return identity
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`
}
