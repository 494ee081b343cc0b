import { attribute, is, resourceOf } from '../../resource/index.ts';

/** README of a configuration version, and the version's id. */
export interface Readme {
  readonly id: string;
  readonly text: string;
}

/** The README of the current configuration of a workspace. */
export const ReadmeResource = resourceOf<Readme>()('workspace-readme', {
  attributes: { 'raw-markdown': attribute(is.text, 'text') },
});
