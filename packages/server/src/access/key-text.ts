import { createHash } from 'node:crypto'
import { randomText } from '../domain/index.js'

const prefixCharacters = 8
/** 5 bits each: 200 random bits. */
const secretCharacters = 40
export const keyTextPattern = /^kron_[0-9a-z]{8}_[0-9a-z]{40}$/

export interface NewKeyText {
  /** The whole key; it is shown once and kept nowhere. */
  readonly text: string
  readonly prefix: string
  readonly hash: string
}

export function newKeyText(): NewKeyText {
  const prefix = `kron_${randomText(prefixCharacters)}`
  const text = `${prefix}_${randomText(secretCharacters)}`
  return { text, prefix, hash: hashOfKey(text) }
}

export function isKeyText(text: string): boolean {
  return keyTextPattern.test(text)
}

/**
 * What is stored of a key. It needs neither salt nor slowness, since nobody can try 2^200 keys,
 * and the look-up by it needs no constant time: timing it tells about the hash of what was
 * sent, from which no key with a longer common part can be derived.
 */
export function hashOfKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
