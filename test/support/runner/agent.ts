/** Plans and applies a configuration in a folder, to be killed meanwhile: `node agent.ts FOLDER BWRAP? MAIN`. */
import { findBubblewrap, none } from '../../../src/runner/index.ts';
import { planAndApply } from './run.ts';

const [folder = '', isolation, main = ''] = process.argv.slice(2);
await planAndApply(
  {
    isolation: isolation === 'bubblewrap' ? await findBubblewrap(process.env.PATH ?? '', null) : none,
    files: { 'main.tf': main },
    parts: { folder },
  },
  { onLog: (log) => process.stdout.write(log), outputs: { state: () => new Promise(() => {}) } },
);
