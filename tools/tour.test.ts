import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const tour = fileURLToPath(new URL('tour.mjs', import.meta.url))

function run() {
  return spawnSync(process.execPath, [tour], { cwd: '/', encoding: 'utf8' })
}

describe('the tour', () => {
  it('shows every command with its output, plain in a pipe, and ends by itself', () => {
    const { status, stdout, stderr } = run()
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const command of ['next', 'explain', 'lint', 'simulate']) {
      expect(stdout).toContain(`$ npx krontab ${command} `)
    }
    expect(stdout).toContain('3 files, 50 jobs, 2 schedules, 0 errors, 2 warnings')
    expect(stdout).toContain('What to do next')
    expect(stdout).not.toContain('\u001b')
  })

  it('shows the same each time', () => {
    expect(run().stdout).toBe(run().stdout)
  })
})
