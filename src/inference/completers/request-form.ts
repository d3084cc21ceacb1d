/** What of a request goes beyond model and messages. Endpoints differ in what of it they take. */
export interface RequestForm {
  readonly format: 'json_schema' | 'json_object' | undefined;
  readonly limit: 'max_tokens' | 'max_completion_tokens' | undefined;
  readonly temperature: 0 | undefined;
}

export const wholeForm: RequestForm = { format: 'json_schema', limit: 'max_tokens', temperature: 0 };
const plainForm: RequestForm = { format: undefined, limit: undefined, temperature: undefined };
const limitPattern = /max_(?:completion_)?tokens|context length/i;

/**
 * The form to try after one was refused: without what the refusal names, else bound less to JSON, at last with nothing.
 * Undefined when nothing is left to leave out.
 */
export function simplerForm(form: RequestForm, refusal: string): RequestForm | undefined {
  const { format, limit, temperature } = form;
  // Models that reason take neither of these.
  if (temperature !== undefined && /temperature/i.test(refusal)) return { ...form, temperature: undefined };
  if (limit && limitPattern.test(refusal)) {
    const isRenamed = limit === 'max_tokens' && refusal.includes('max_completion_tokens');
    return { ...form, limit: isRenamed ? 'max_completion_tokens' : undefined };
  }
  if (format) return { ...form, format: format === 'json_schema' ? 'json_object' : undefined };
  return limit || temperature !== undefined ? plainForm : undefined;
}
