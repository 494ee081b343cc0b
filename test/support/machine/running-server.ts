import type { Command, Finished } from '../command.ts';
import { type Answer, type CallOptions, call } from '../http.ts';

/** A server that is ready, as a process of its own. */
export class RunningServer {
  readonly command: Command;
  /** URL of its first listener. */
  readonly address: string;
  readonly #ca: string | undefined;

  constructor(command: Command, address: string, ca?: string) {
    this.command = command;
    this.address = address;
    this.#ca = ca;
  }

  logged(message: string): ReturnType<Command['logged']> {
    return this.command.logged(message);
  }

  call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    const { address } = this;
    return call({ address, ...(this.#ca !== undefined && { ca: this.#ca }) }, method, path, options);
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.command.pid, signal);
  }

  end(signal: NodeJS.Signals): Promise<Finished> {
    this.signal(signal);
    return this.command.ended();
  }
}
