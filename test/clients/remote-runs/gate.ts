import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A place that configurations ask, and that answers when it is told to: until then a plan goes on. */
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

  /** Whether somebody waits for an answer. */
  get isAsked(): boolean {
    return this.#waiting.size > 0;
  }

  /** What asks it while it is planned. */
  get configuration(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `data "terraform_remote_state" "gate" {
  backend = "http"
  config  = { address = "http://127.0.0.1:${port}/" }
}
resource "terraform_data" "after" { input = "after" }
`;
  }

  /** Answers those who wait, and those who come. */
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
