import type { ParameterMap, ParameterValue, PathBlock } from './policy.ts';
import { fillIn, type TemplateIdentity } from './template.ts';

/**
 * A block with its templates filled in.
 * @throws UnfilledError
 */
export function fillBlock(block: PathBlock, identity: TemplateIdentity | undefined): PathBlock {
  return {
    ...block,
    path: fillIn(block.path, identity),
    allowed: fillMap(block.allowed, identity),
    denied: fillMap(block.denied, identity),
  };
}

function fillMap(map: ParameterMap, identity: TemplateIdentity | undefined): ParameterMap {
  return map.size === 0
    ? map
    : new Map([...map].map(([name, values]) => [name, values.map((value) => fillValue(value, identity))]));
}

function fillValue(value: ParameterValue, identity: TemplateIdentity | undefined): ParameterValue {
  if (typeof value === 'string') return fillIn(value, identity);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((one) => fillValue(one, identity));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillValue(one, identity)]));
}

function isList(value: ParameterValue): value is readonly ParameterValue[] {
  return Array.isArray(value);
}
