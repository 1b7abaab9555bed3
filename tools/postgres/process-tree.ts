import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Pairs of process and parent, of all processes. */
function parents(): [pid: number, parent: number][] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')
    return lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid): [number, number][] => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // The name of the program is in parentheses, and may have spaces and parentheses in it.
      return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0])]]
    } catch {
      return []
    }
  })
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Ends a server and its backends at once, with no chance to clean up. */
export function killWithChildren(pid: number): void {
  if (process.platform === 'win32') {
    execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'])
    return
  }
  // Stopped first: it can't start another one meanwhile, and keeps the ids of its dead.
  signal(pid, 'SIGSTOP')
  for (const [child, parent] of parents()) if (parent === pid) signal(child, 'SIGKILL')
  signal(pid, 'SIGKILL')
}
