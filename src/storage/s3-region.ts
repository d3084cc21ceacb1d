const regionDefault = 'us-east-1';

/**
 * The region that requests are signed for: the one in the host name (`s3.eu-west-1.amazonaws.com`), else the
 * one that most servers accept.
 */
export function regionOf(url: string): string {
  return /^s3[.-]([a-z]+(?:-[a-z]+)+-\d+)\./.exec(new URL(url).hostname)?.[1] ?? regionDefault;
}
