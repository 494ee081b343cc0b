import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod, Secret } from 'kubernetes-types/core/v1.d.ts';
import { Command } from '../command.ts';

/** A pod whose container is a process of this machine, with the mounted folders at other paths. */
export class RunningPod {
  readonly command: Command;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  readonly #grace: number;

  constructor(pod: Pod, secret: Secret, folder: string) {
    const [container] = pod.spec?.containers ?? [];
    if (container === undefined) throw new Error('a pod has a container');
    // A plan contains paths, and its apply runs in another pod: all pods share one folder for `/work`.
    const placeOf = (name: string): string => join(folder, name === 'work' ? '../work' : name);
    const places = (container.volumeMounts ?? []).map(({ name, mountPath }) => [mountPath, placeOf(name)] as const);
    for (const [, place] of places) mkdirSync(place, { recursive: true });
    for (const [key, value] of Object.entries(secret.stringData ?? {})) {
      writeFileSync(join(folder, 'secrets', key), value, { mode: 0o440 });
    }
    const here = (text: string): string => {
      const place = places.find(([mountPath]) => text === mountPath || text.startsWith(`${mountPath}/`));
      return place === undefined ? text : `${place[1]}${text.slice(place[0].length)}`;
    };
    const [program] = container.command ?? [];
    if (program !== 'lockkeeper') throw new Error(`the image has no ${program}`);
    const environment = Object.fromEntries((container.env ?? []).map(({ name, value = '' }) => [name, here(value)]));
    this.command = new Command((container.args ?? []).map(here), environment);
    this.ended = this.command.ended().then(({ code }) => code ?? 137);
    this.#grace = pod.spec?.terminationGracePeriodSeconds ?? 30;
  }

  /** Stops the container as the kubelet does. */
  async end(): Promise<void> {
    this.command.signal('SIGTERM');
    const isLate = await Promise.race([this.ended.then(() => false), sleep(this.#grace * 1000, true, { ref: false })]);
    if (isLate) await this.kill();
  }

  async kill(): Promise<void> {
    this.command.signal('SIGKILL');
    await this.ended;
  }
}
