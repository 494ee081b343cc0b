import { escapedForSlack, teamsCard, teamsLine } from './forms.ts';

/** A fact with its title. */
export type Fact = readonly [title: string, value: string];

/** A message for people, which Slack, Microsoft Teams and email show in their own formats. */
export interface Summary {
  /** First line. */
  readonly sentence: string;
  /** Text of the subject, such as the message of a run; empty for none. */
  readonly detail: string;
  /** Subject of the message, such as the run. */
  readonly subject: Fact;
  readonly facts: readonly Fact[];
  /** Colour of the bar beside a Slack message. */
  readonly color: string;
  /** Page of the console. */
  readonly link: { readonly title: string; readonly url: string };
  /** Whether a person has to act at the link. */
  readonly needsAction: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Message in the format of Slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks;
 * https://docs.slack.dev/reference/surfaces/formatting
 */
export function slackMessage({ at, color, detail, facts, link, needsAction, sentence, subject }: Summary): object {
  return {
    text: escapedForSlack(sentence),
    attachments: [
      {
        fallback: escapedForSlack(`${sentence} (${subject[1]})`),
        color,
        title: escapedForSlack(subject[1]),
        title_link: link.url,
        ...(detail !== '' && { text: escapedForSlack(detail) }),
        fields: facts.map(([title, value]) => ({ title, value: escapedForSlack(value), short: true })),
        ...(needsAction && { actions: [{ type: 'button', text: link.title, url: link.url, style: 'primary' }] }),
        ts: Math.floor(at / 1000),
      },
    ],
  };
}

/** Message in the format of Microsoft Teams. */
export function teamsMessage({ detail, facts, link, sentence, subject }: Summary): object {
  const body = [
    teamsLine(sentence, { weight: 'Bolder' }),
    ...(detail === '' ? [] : [teamsLine(detail)]),
    ...[subject, ...facts].map(([title, value]) => teamsLine(`${title}: ${value}`)),
  ];
  return teamsCard(body, link);
}

/** Body of an email. */
export function mailBody({ detail, facts, link, sentence, subject }: Summary, footer: string) {
  const rows = [subject, ...facts];
  const text = [
    sentence,
    ...(detail === '' ? [] : ['', detail]),
    '',
    ...rows.map(([title, value]) => `${title}: ${value}`),
    '',
    `${link.title}: ${link.url}`,
    '',
    '-- ',
    footer,
    '',
  ].join('\n');
  const html = [
    '<!doctype html><html><body>',
    `<p><strong>${escapedForHtml(sentence)}</strong></p>`,
    detail === '' ? '' : `<p style="white-space:pre-wrap">${escapedForHtml(detail)}</p>`,
    '<table>',
    ...rows.map(
      ([title, value]) =>
        `<tr><th align="left">${escapedForHtml(title)}</th><td style="white-space:pre-wrap">${escapedForHtml(value)}</td></tr>`,
    ),
    '</table>',
    `<p><a href="${escapedForHtml(link.url)}">${escapedForHtml(link.title)}</a></p>`,
    `<p><small>${escapedForHtml(footer)}</small></p>`,
    '</body></html>',
  ].join('\n');
  return { text, html };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML elements and attributes. */
function escapedForHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
