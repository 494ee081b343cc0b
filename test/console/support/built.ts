import { buildConsole } from '../../../build/console-build.ts';

/** The tests look at what the sources say now. */
export default function setup(): Promise<void> {
  return buildConsole();
}
