import type { Readable } from 'node:stream';
import { DEFAULT_BOUNDS, type JobBounds } from '../../lib/job/bounds.ts';
import type { NetworkPlan } from './network/plan.ts';

/** The folders of a job, either on this machine or as its engine sees them. */
export interface JobFolders {
  /** The unpacked configuration. */
  readonly work: string;
  /** The plan file and generated configuration. */
  readonly plan: string;
  /** Contains only the state. The folder has the name of the workspace. */
  readonly state: string;
  /** Home folder, the value of `HOME`. */
  readonly home: string;
  /** Files of the agent for the engine, which cannot write there. */
  readonly told: string;
}

/** A command. Its paths are as the command sees them, unless noted. */
export interface Command {
  /** Path of the program on this machine. In a sandbox the program has another path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Folders of this machine that the command can read, at the same paths. */
  readonly readable: readonly string[];
  /** URL of the server that the command may connect to; null for none. */
  readonly server: string | null;
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether stderr goes to the same stream as stdout, in order. */
  readonly isMerged: boolean;
}

/** How a command ended: with an exit code or by a signal. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running command. The caller must read both streams. */
export interface Running {
  /** Process group of the command; undefined if it could not be started. */
  readonly pid: number | undefined;
  readonly output: Readable;
  /** Standard error; empty if it goes to `output`. */
  readonly errors: Readable;
  /** Resolves after the streams have closed and all processes of the command have ended. */
  readonly ended: Promise<Ended>;
  /**
   * Interrupts all processes, like Ctrl-C. Call it once: at the second interrupt an engine exits without writing its
   * state.
   */
  interrupt(): void;
  /** Kills all processes immediately. */
  kill(): void;
}

/** Bounds of commands, and the control group that enforces them on this machine. */
export interface BoundsHere {
  readonly bounds: JobBounds;
  /** Control group that is delegated to the agent; null: the agent polls the usage of commands. */
  readonly group: string | null;
}

/** Default bounds, without a control group. */
export const DEFAULT_BOUNDS_HERE: BoundsHere = { bounds: DEFAULT_BOUNDS, group: null };

/** Settings of an isolation as JSON, so that another process of the agent can create it without probing again. */
export type IsolationSettings =
  | ({ readonly name: 'none' } & BoundsHere)
  | ({
      readonly name: 'bubblewrap';
      readonly program: string;
      /** Network of the runs; null for the network of the machine. */
      readonly network: NetworkPlan | null;
    } & BoundsHere);

/** Isolates engines from the machine that they run on. */
export interface Isolation {
  readonly name: IsolationSettings['name'];
  readonly settings: IsolationSettings;
  /**
   * Returns the folders of a job as the engine sees them. They are the same for the plan and the apply, even on
   * different machines.
   * @param here the folders on this machine
   */
  engineFolders(here: JobFolders): JobFolders;
  /** Starts a command. @throws JobFailure if it cannot be started */
  start(command: Command, here: JobFolders): Running;
}
