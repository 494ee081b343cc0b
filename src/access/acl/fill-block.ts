import type { ParameterMap, ParameterValue, PathBlock } from './policy.ts';
import { fillIn, type TemplateAllowance, type TemplateIdentity, UnfilledError } from './template.ts';

type Fill = (text: string) => string;

/**
 * Returns a block with its templates filled in.
 * @throws UnfilledError
 */
export function fillBlock(
  block: PathBlock,
  identity: TemplateIdentity | undefined,
  allowance?: TemplateAllowance,
): PathBlock {
  const fill: Fill = (text) => fillIn(text, identity, allowance);
  return {
    ...block,
    path: filledPath(fill(block.path)),
    allowed: fillMap(block.allowed, fill),
    denied: fillMap(block.denied, fill),
  };
}

/** Applies the rules of a written path to a path that a value has changed. */
function filledPath(path: string): string {
  if (path.includes('+*')) throw new UnfilledError('refused');
  return path.startsWith('/') ? path.slice(1) : path;
}

function fillMap(map: ParameterMap, fill: Fill): ParameterMap {
  return map.size === 0
    ? map
    : new Map([...map].map(([name, values]) => [name, values.map((value) => fillValue(value, fill))]));
}

function fillValue(value: ParameterValue, fill: Fill): ParameterValue {
  if (typeof value === 'string') return fill(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((one) => fillValue(one, fill));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillValue(one, fill)]));
}

function isList(value: ParameterValue): value is readonly ParameterValue[] {
  return Array.isArray(value);
}
