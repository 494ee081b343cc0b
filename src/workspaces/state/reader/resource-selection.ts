import type { Steps } from '../../../lib/slices.ts';
import { addressOf, moduleName, providerSource, shownAddress } from './resource-address.ts';
import type { ResourceRecord } from './resources.ts';

/** What somebody wants to see of the resources of a workspace; whatever is not named is not asked. */
export interface WantedResources {
  /** Stands somewhere in the address, in upper or lower case. */
  readonly text?: string | undefined;
  /** All of it, from `module.` on or as it is shown. */
  readonly address?: string | undefined;
  /** As it is shown: `root`, `net["a"].sub`. Those below it are other modules. */
  readonly module?: string | undefined;
  readonly provider?: string | undefined;
  readonly type?: string | undefined;
}

/** Records that are looked at in one step. */
const STEP = 200;

/** The numbers of those that fit. */
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
  // Which most do not have is cheaper to see.
  if (!address.includes(record.name)) return false;
  return addressOf(record) === address || shownAddress(record) === address;
}

/** The same for the same text, which most records have from the one before. */
function remembering(of: (text: string) => string): (text: string) => string {
  let last: { readonly text: string; readonly value: string } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: of(text) };
    return last.value;
  };
}
