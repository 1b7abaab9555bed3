import { describe, expect, it } from 'vitest'
import { runInMemory } from '../../../testing/kronctl/memory-world.js'
import { kronJobYaml } from '../../../testing/kronctl/samples.js'

const input = `${kronJobYaml('good')}---\n${kronJobYaml('bad', '61 * * * *')}`

describe('manifests of which one is wrong', () => {
  it.each(['next', 'explain', 'simulate'])(
    'have %s tell of the others, and fail',
    async (command) => {
      const { exitCode, stdout, stderr } = await runInMemory([command, '-f', '-', '-n', 'shop'], {
        input,
      })
      expect(exitCode).toBe(2)
      expect(stdout).not.toBe('')
      expect(stdout).not.toContain('bad')
      expect(stderr).toContain('1 error, the KronJobs concerned are left out')
    },
  )
})
