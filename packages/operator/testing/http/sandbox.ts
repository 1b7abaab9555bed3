import type { ServerOptions } from 'node:https'
import type { AccessSource } from '../../src/kube/http/credentials.js'
import { HttpKubeApi, type HttpKubeApiOptions } from '../../src/kube/http/http-kube-api.js'
import { type Answer, FakeApiServer } from './fake-api-server.js'

/** What a test has started, for `afterEach`. */
export class Sandbox {
  #closing: (() => Promise<unknown>)[] = []

  async serve(answer: Answer, tls?: ServerOptions): Promise<FakeApiServer> {
    const server = await FakeApiServer.start(answer, tls)
    this.#closing.push(() => server.close())
    return server
  }

  client(source: AccessSource, options: HttpKubeApiOptions = {}): HttpKubeApi {
    const api = new HttpKubeApi(source, options)
    this.later(() => api.close())
    return api
  }

  later(close: () => Promise<unknown>): void {
    this.#closing.unshift(close)
  }

  readonly close = async (): Promise<void> => {
    const closing = this.#closing
    this.#closing = []
    for (const close of closing) await close()
  }
}
