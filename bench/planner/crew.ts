import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Task, TaskResult } from './task.ts'

/** Performs tasks in as many threads as there are processors; `onDone` hears of each. */
export async function performAll(
  tasks: readonly Task[],
  onDone: (done: number) => void,
): Promise<TaskResult[]> {
  const results: TaskResult[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL('worker.ts', import.meta.url))
    try {
      for (let at = next++; at < tasks.length; at = next++) {
        results[at] = await ask(worker, tasks[at]!)
        onDone(++done)
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return results
}

function ask(worker: Worker, task: Task): Promise<TaskResult> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (result: TaskResult) => {
      worker.off('error', reject)
      resolve(result)
    })
    worker.postMessage(task)
  })
}
