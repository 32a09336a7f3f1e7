"""How django-allauth is used here: what no operator turns."""

PASSWORD = "django.contrib.auth.backends.ModelBackend"  # noqa: S105 (the name of a class)
PROVIDER = "importengine.people.backends.ProviderBackend"


def allauth_settings(*, passwords: bool) -> dict[str, object]:
    """Return the settings of django-allauth."""
    here = "importengine.people"
    return {
        "ACCOUNT_ADAPTER": f"{here}.adapters.AccountAdapter",
        "ACCOUNT_EMAIL_VERIFICATION": "none",
        "ACCOUNT_FORMS": {"reauthenticate": f"{here}.forms.ConfirmedByPassword"},
        "ACCOUNT_LOGIN_METHODS": {"username"},
        "ACCOUNT_RATE_LIMITS": False,  # licensing.people.logins and sign_ins count instead
        "ACCOUNT_REAUTHENTICATION_METHODS": ["password", "mfa"] if passwords else ["mfa"],
        "ACCOUNT_SIGNUP_FIELDS": ["username*"],
        "ACCOUNT_UNIQUE_EMAIL": False,  # a person is the provider's id, never an address
        "SOCIALACCOUNT_ADAPTER": f"{here}.adapters.ProviderSettings",
        "SOCIALACCOUNT_EMAIL_VERIFICATION": "none",
        "MFA_ADAPTER": f"{here}.adapters.SecondFactors",
        "MFA_ALLOW_UNVERIFIED_EMAIL": True,
        "MFA_FORMS": {
            "authenticate": f"{here}.forms.SecondFactor",
            "reauthenticate": f"{here}.forms.ConfirmedByCode",
            "add_webauthn": f"{here}.forms.AddedPasskey",
            "authenticate_webauthn": f"{here}.forms.ByPasskey",
            "reauthenticate_webauthn": f"{here}.forms.ConfirmedByPasskey",
        },
        "MFA_RATE_LIMITS": False,
        "MFA_TOTP_TOLERANCE": 1,  # a clock may be half a minute off; a code counts once
        "MFA_SUPPORTED_TYPES": ["totp", "webauthn", "recovery_codes"],
    }
