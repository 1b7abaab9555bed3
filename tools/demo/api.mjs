/** The few calls of the API that the demonstration makes, with its key. */
export function apiOf(url, key) {
  const headers = { authorization: `Bearer ${key}` }
  return {
    async post(path, body) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      })
      return answerOf(response)
    },
    async get(path) {
      return answerOf(await fetch(`${url}/api/v1${path}`, { headers }))
    },
    /** Events as they come, until the server or the signal ends them. */
    async *events(signal) {
      const response = await fetch(`${url}/api/v1/events`, { headers, signal })
      let text = ''
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        text += piece
        const blocks = text.split('\n\n')
        text = blocks.pop()
        for (const block of blocks) {
          const data = /^data: (.*)$/m.exec(block)
          if (data !== null) yield JSON.parse(data[1])
        }
      }
    },
  }
}

async function answerOf(response) {
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(`${answer.code}: ${answer.detail}`)
}
