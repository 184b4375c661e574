/** A cell of a CSV file (RFC 4180), as the export and the operator's page write it. */

/** A cell that begins like a formula would be one in a spreadsheet: it gets a quote before it, unless it is a number. */
export function csvCell(value: string | number | null | undefined): string {
  const text = String(value ?? "");
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
