import type { Steps } from '../../../lib/slices.ts';
import { addressOf, moduleName, providerSource, shownAddress } from './resource-address.ts';
import type { ResourceRecord } from './resources.ts';

/** Filter of the resources of a workspace. Absent members match everything. */
export interface WantedResources {
  /** Part of the address, ignoring case. */
  readonly text?: string | undefined;
  /** Complete address, starting with `module.` or in displayed form. */
  readonly address?: string | undefined;
  /** Displayed name of the module: `root`, `net["a"].sub`. Modules below it do not match. */
  readonly module?: string | undefined;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
}

/** Number of records to check in one step. */
const STEP = 200;

/** Returns the positions of the matching records. */
export function* selecting(records: readonly ResourceRecord[], wanted: WantedResources): Steps<number[]> {
  const text = wanted.text?.toLowerCase();
  const modules = remembering(moduleName);
  const providers = remembering(providerSource);
  const numbers: number[] = [];
  for (const [number, record] of records.entries()) {
    if (number % STEP === STEP - 1) yield;
    if (wanted.type !== undefined && record.type !== wanted.type) continue;
    if (wanted.module !== undefined && modules(record.module) !== wanted.module) continue;
    if (wanted.provider !== undefined && providers(record.provider) !== wanted.provider) continue;
    if (wanted.address !== undefined && !isAt(record, wanted.address)) continue;
    if (text !== undefined && !addressOf(record).toLowerCase().includes(text)) continue;
    numbers.push(number);
  }
  return numbers;
}

function isAt(record: ResourceRecord, address: string): boolean {
  // A cheap check first, which excludes most records.
  if (!address.includes(record.name)) return false;
  return addressOf(record) === address || shownAddress(record) === address;
}

/** Caches the last result: successive records mostly have the same text. */
function remembering(of: (text: string) => string): (text: string) => string {
  let last: { readonly text: string; readonly value: string } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: of(text) };
    return last.value;
  };
}
