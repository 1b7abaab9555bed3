import type { Account } from '../account.js'

/* Of every Linux; with no group but their own, and with some. */
export const nobody: Account = {
  name: 'nobody',
  uid: 65_534,
  gid: 65_534,
  groups: [],
  home: '/nonexistent',
}
export const games: Account = { name: 'games', uid: 5, gid: 60, groups: [60], home: '/usr/games' }
export const daemon: Account = {
  name: 'daemon',
  uid: 1,
  gid: 1,
  groups: [1, 4, 20],
  home: '/usr/sbin',
}
