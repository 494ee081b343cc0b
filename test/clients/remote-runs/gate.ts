import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An HTTP endpoint that configurations query during a plan. It answers on request of the test, so the plan waits until
 * then.
 */
export class Gate {
  readonly #server: Server;
  readonly #waiting = new Set<ServerResponse>();
  #isOpen = false;

  private constructor() {
    this.#server = createServer((_, response) => {
      this.#waiting.add(response);
      if (this.#isOpen) this.open();
    });
  }

  static async start(): Promise<Gate> {
    const gate = new Gate();
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  /** Whether a request waits for an answer. */
  get isAsked(): boolean {
    return this.#waiting.size > 0;
  }

  /** A data source that queries the gate during the plan. */
  get configuration(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `data "terraform_remote_state" "gate" {
  backend = "http"
  config  = { address = "http://127.0.0.1:${port}/" }
}
resource "terraform_data" "after" { input = "after" }
`;
  }

  /** Answers waiting requests and later ones. */
  open(): void {
    this.#isOpen = true;
    const state = JSON.stringify({ version: 4, terraform_version: '1.10.7', serial: 1, lineage: 'gate', outputs: {} });
    for (const response of this.#waiting) response.setHeader('content-type', 'application/json').end(state);
    this.#waiting.clear();
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
