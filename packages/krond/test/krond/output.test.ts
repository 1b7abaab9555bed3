import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KrondHome } from './krond-home.js'

let home: KrondHome
beforeEach(() => {
  home = new KrondHome()
})
afterEach(() => home.remove())

describe('krond', () => {
  it('ends when a pipe has taken all that it prints, however much that is', async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `job-${index}`)
    home.jobs(...names.map((name) => `0 3 * * * name=${name} command=/bin/true`))
    const files = ['--file', home.krontab, '--state', home.state]
    const { code, stdout } = await home.krond('status', ...files, '--format', 'json')
    expect(code).toBe(3)
    const { jobs } = JSON.parse(stdout) as { jobs: { name: string }[] }
    expect(jobs.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })
})
