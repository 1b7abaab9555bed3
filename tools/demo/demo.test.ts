import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const demo = fileURLToPath(new URL('demo.mjs', import.meta.url))

it('npm start shows where to look and what runs, and stops cleanly', async () => {
  const child = spawn(process.execPath, [demo, '--port', '0', '--runs', '3'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const [code] = await once(child, 'exit')
  expect(errors).toBe('')
  expect(output).toMatch(/API +http:\/\/127\.0\.0\.1:\d+\/api\/v1\n/)
  expect(output).toMatch(/Key +kron_[a-z0-9]{8}_[a-z0-9]{40}\n/)
  const because = /^\d\d:\d\d:\d\d\.\d{3} .* (baseline-(interval|cron)|ai-interval \(rules\))$/gm
  expect(output.match(because)).toHaveLength(3)
  expect(output).toMatch(/Stopped\.\n$/)
  expect(code).toBe(0)
})

it('Ctrl-C stops it cleanly', async () => {
  const child = spawn(process.execPath, [demo, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let output = ''
  for await (const text of child.stdout!.setEncoding('utf8')) {
    // A second signal would end it at once.
    const isFirst = !output.includes(' success ')
    output += text
    if (isFirst && output.includes(' success ')) child.kill('SIGINT')
  }
  const [code] = await ended
  expect(output).toMatch(/Stopped\.\n$/)
  expect(code).toBe(0)
})
