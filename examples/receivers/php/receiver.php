<?php
// Take deliveries with PHP: verify, store once, answer. See docs/webhooks.md.
declare(strict_types=1);

const TOLERANCE_S = 300;

/** Say whether a body is from the engine and fresh. $header: x-import-signature. */
function is_genuine(string $secret, string $header, string $body): bool
{
    $times = [];
    $given = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = array_pad(explode('=', $part, 2), 2, '');
        if ($name === 't') {
            $times[] = $value;
        } elseif ($name === 'v1') {
            $given[] = $value;
        }
    }
    if (count($times) !== 1 || preg_match('/^[0-9]{1,12}$/D', $times[0]) !== 1) {
        return false;
    }
    if (abs(time() - (int) $times[0]) > TOLERANCE_S) {
        return false;
    }
    $expected = hash_hmac('sha256', $times[0] . '.' . $body, $secret);
    $genuine = false;
    foreach ($given as $value) {
        $genuine = hash_equals($expected, $value) || $genuine;
    }
    return $genuine;
}

/** Store a delivery whole and once; false when it was there. A database would use a unique key. */
function store(string $inbox, string $delivery_id, string $body): bool
{
    $draft = tempnam($inbox, '.draft');
    if ($draft === false || file_put_contents($draft, $body) !== strlen($body)) {
        throw new RuntimeException('the delivery cannot be written');
    }
    $name = "$inbox/$delivery_id.json";
    $is_new = @link($draft, $name); // fails when the name exists
    unlink($draft);
    if (!$is_new && !is_file($name)) {
        throw new RuntimeException('the delivery cannot be stored');
    }
    return $is_new;
}

function answer(int $status, string $text): never
{
    http_response_code($status);
    exit($text);
}

set_exception_handler(static fn (Throwable $error) => answer(500, 'try again'));
if ($_SERVER['REQUEST_METHOD'] !== 'POST' || $_SERVER['REQUEST_URI'] !== '/apply') {
    answer(404, 'nothing here');
}
$body = file_get_contents('php://input'); // the raw bytes, before anything parses them
$header = $_SERVER['HTTP_X_IMPORT_SIGNATURE'] ?? '';
if ($body === false || !is_genuine((string) getenv('IMPORT_SIGNING_SECRET'), $header, $body)) {
    answer(401, 'not genuine');
}
$delivery_id = json_decode($body, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING)['deliveryId'] ?? '';
if (!is_string($delivery_id) || preg_match('/^dlv_[0-9a-z]+$/D', $delivery_id) !== 1) {
    answer(400, 'no delivery id');
}
answer(200, store((string) getenv('INBOX'), $delivery_id, $body) ? 'stored' : 'seen');
