import { expect, it } from 'vitest'
import { remoteNetwork } from './remote-network.js'

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [undefined, 'unknown'],
])('the failures of %s are counted for %s', (address, network) => {
  expect(remoteNetwork(address)).toBe(network)
})
