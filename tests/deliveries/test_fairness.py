"""No tenant and no host delays another."""

from hypothesis import given
from hypothesis import strategies as st

from deliveries.fairness import LARGE_BYTES, Candidate, Slots


def candidate(
    key: int, registration: int = 1, *, tenant=1, failing=False, size=1, host=""
) -> Candidate:
    return Candidate(
        key=key,
        tenant=tenant,
        registration=registration,
        host=host or f"https://{registration}.example",
        size=size,
        is_failing=failing,
    )


def entered(slots: Slots, candidates) -> list[int]:
    return [item.key for item in candidates if slots.enter(item)]


def test_one_tenant_takes_half_of_the_slots_at_most():
    assert len(entered(Slots(count=16), [candidate(key, key) for key in range(40)])) == 8


def test_one_registration_takes_half_of_what_its_tenant_may_have():
    assert len(entered(Slots(count=16), [candidate(key) for key in range(40)])) == 4


def test_after_several_busy_registrations_there_is_room_for_one_more_of_the_tenant():
    slots = Slots(count=64)
    for registration in range(4):
        entered(slots, [candidate(100 * registration + key, registration) for key in range(99)])

    assert slots.enter(candidate(9_999, registration=77))


def test_after_several_busy_tenants_there_is_room_for_one_more():
    slots = Slots(count=64)
    for tenant in range(5):
        keys = range(1_000 * tenant, 1_000 * tenant + 99)
        entered(slots, [candidate(key, key, tenant=tenant) for key in keys])

    assert slots.enter(candidate(9_999, registration=9_999, tenant=77))


def test_failing_registrations_of_one_tenant_leave_those_of_another_their_slots():
    slots = Slots(count=64)
    entered(slots, [candidate(key, key, failing=True) for key in range(60)])

    assert slots.enter(candidate(99, 99, tenant=2, failing=True))


def test_a_failing_registration_gets_two_slots():
    failing = [candidate(key, failing=True) for key in range(9)]

    assert len(entered(Slots(count=64), failing)) == 2


def test_all_failing_registrations_of_a_tenant_get_half_of_its_share():
    failing = [candidate(key, key, failing=True) for key in range(60)]

    assert len(entered(Slots(count=64), failing)) == 16


def test_a_host_gets_one_large_body_at_a_time_and_small_ones_next_to_it():
    slots = Slots(count=64)
    host = "https://one.example"
    large = [candidate(key, key, size=LARGE_BYTES, host=host) for key in range(2)]

    assert entered(slots, [*large, candidate(9, 9, host=host)]) == [0, 9]
    slots.leave(0)
    assert entered(slots, large[1:]) == [1]


def test_a_large_body_does_not_wait_for_that_of_another_tenant():
    slots = Slots(count=64)
    host = "https://one.example"
    slots.enter(candidate(1, 1, size=LARGE_BYTES, host=host))

    assert slots.enter(candidate(2, 2, tenant=2, size=LARGE_BYTES, host=host))


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.booleans(), st.sampled_from([1, LARGE_BYTES])), max_size=200
    )
)
def test_slots_come_back(wishes):
    slots = Slots(count=16)
    keys = entered(
        slots,
        [
            candidate(key, registration, tenant=registration % 3, failing=failing, size=size)
            for key, (registration, failing, size) in enumerate(wishes)
        ],
    )

    assert len(keys) <= 16
    for key in keys:
        slots.leave(key)
    assert slots.free == 16
    assert slots.enter(candidate(1_000, failing=True, size=LARGE_BYTES))
