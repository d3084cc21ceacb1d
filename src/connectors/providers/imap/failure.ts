import type { ImapFlowError } from 'imapflow';
import { ProviderError } from '../../provider.js';
import { noAnswerOf } from '../../provider-http.js';

const provider = 'the mail server';
const throttledSeconds = 60;

/** Texts of refusals that are only for now: too many logins (tooMany), or a server that is busy (later). */
const tooMany = /too many|rate|limit|exceeded/i;
const later = /try again|temporar|unavailable|in use/i;
const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;
const noTlsCode = /^(?:EPROTO|ERR_SSL)/;
const missingCodes = new Set(['NONEXISTENT', 'TRYCREATE']);
/** Commands whose refusal says that this account may not; any other tells of the server. */
const opening = /^\S+ (?:EXAMINE|LIST)\b/;
const laterCodes = new Set(['UNAVAILABLE', 'INUSE', 'SERVERBUG', 'EXPUNGEISSUED']);

/** What went wrong, without the error itself, which contains the commands that were sent. */
export function failureOfImap(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const failure = error as ImapFlowError;
  const { code = '', responseStatus, serverResponseCode = '', executedCommand = '', throttleReset } = failure;
  const text = failure.responseText ?? '';
  if (
    code === 'ETHROTTLE' ||
    (responseStatus === 'NO' && (serverResponseCode === 'LIMIT' || tooMany.test(text)))
  )
    return new ProviderError('limited', `${provider} asks for fewer requests`, {
      retryAfterSeconds: throttleReset ? Math.ceil(throttleReset / 1000) : throttledSeconds,
    });
  if (laterCodes.has(serverResponseCode) || (responseStatus !== undefined && later.test(text)))
    return new ProviderError('unavailable', `${provider} is out of order: ${said(text)}`);
  if (failure.authenticationFailed && !isLost(failure)) return rejected(failure);
  if (certificateCode.test(code))
    return new ProviderError('unavailable', `the certificate of ${provider} is not accepted (${code})`);
  if (failure.tlsFailed || noTlsCode.test(code))
    return new ProviderError('unavailable', `${provider} offers no TLS on this port`);
  if (failure.mailboxMissing || missingCodes.has(serverResponseCode))
    return new ProviderError('missing', 'there is no such mailbox');
  if (responseStatus === 'NO' && opening.test(executedCommand))
    return new ProviderError('refused', `${provider} refused access: ${said(text)}`);
  if (responseStatus !== undefined)
    return new ProviderError('unavailable', `${provider} answered ${said(text)}`);
  return noAnswerOf(provider, error);
}

/** Whether the connection was lost during the login. */
function isLost({ code }: ImapFlowError): boolean {
  return (
    code === 'NoConnection' || code === 'EConnectionClosed' || code === 'ECONNRESET' || code === 'ETIMEOUT'
  );
}

/** The failure of a rejected login. The server's text is not included, since it may quote the login. */
function rejected({ serverResponseCode, responseStatus }: ImapFlowError): ProviderError {
  const why =
    serverResponseCode === 'PRIVACYREQUIRED' || responseStatus === undefined
      ? ': it wants TLS, or another way to sign in than a password'
      : '';
  return new ProviderError('credentials', `${provider} rejected the user or the password${why}`);
}

function said(text: string): string {
  return text.slice(0, 300) || 'without a reason';
}
